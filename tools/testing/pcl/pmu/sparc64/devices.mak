# The devices of the emulator for sparc64: those of the machine "sun4u", and what ../../vm asks for.
CONFIG_SUN4U=y
CONFIG_SUNHME=y
CONFIG_PCI_DEVICES=n
CONFIG_TEST_DEVICES=n
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_9P=y
