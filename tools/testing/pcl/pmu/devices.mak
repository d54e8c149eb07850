# The devices of the emulator: those of the machine "q35" that ../vm/machine.py asks for, and no others are built.
CONFIG_Q35=y
CONFIG_HPET=y
CONFIG_PCI_DEVICES=n
# what tells the end of the tests of ../pmu/test
CONFIG_ISA_DEBUG=y
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_9P=y
