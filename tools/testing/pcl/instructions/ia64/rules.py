# SPDX-License-Identifier: GPL-2.0
"""What must stand where in the IA-64 driver's code, and in what order, on every way through a function.

Updates of PMCs and of the PSR's gates need a data serialization before what depends on them (SDM volume 2, 7.2.1), that
of PMC[0].fr an instruction serialization (7.2.2). Why the rest is so: arch/ia64/events/regs.c and user.c.
"""

import re

from kinds import ENTRY, Always, Has, Maybe, Needs, Never, NotAfter, Rule, Then


class Frozen(Rule):
    """Every PMC that is touched is PMC[0], which freezes and thaws."""

    def complaints(self, function):
        return ["%s: %s" % (function.name, one.text) for one in function.code
                if {"=pmc", "pmc="} & set(one.names) and not {"=pmc[0]", "pmc[0]="} & set(one.names)]


class Sets(Rule):
    """What @what gives is a constant, and has the bits that it must."""

    def __init__(self, function, what, bits, why=""):
        super().__init__(function, why)
        self.what, self.bits = what, bits

    def complaints(self, function):
        values = {}
        for one in function.code:
            constant = re.match(r"^(?:mov|movl|addl) (r\d+)=(-?(?:0x[0-9a-f]+|\d+))(?:,r0)?$", one.text)
            if constant:
                values[constant.group(1)] = int(constant.group(2), 0)
            elif self.what in one.names:
                value = values.get(one.text.split("=")[1])
                if value is None or value & self.bits != self.bits:
                    yield "%s: %s is %s" % (function.name, one.text, value)
                return
            elif re.match(r"^[a-z].* (r\d+)=", one.text):
                values.pop(re.match(r"^[a-z].* (r\d+)=", one.text).group(1), None)
        yield "%s has no %s" % (function.name, self.what)


PP, UP = ("rsm pp", "ssm pp"), ("rsm up", "ssm up")
USER_UP = ("rum up", "sum up")
WRITES = ("pmc=", "pmd=")

RULES = (
    # freezing
    Has("ia64_hw_pause", "rsm pp", "rsm up", "=pmc", "pmc=", "ssm pp", "ssm up", "srlz.d"),
    Needs("ia64_hw_pause", "rsm pp", "=psr", why="the gates that were open are those of before"),
    Needs("ia64_hw_pause", "rsm up", "=psr", why="the same"),
    Frozen("ia64_hw_pause", "no counter is programmed before it stands still"),
    Needs("ia64_hw_pause", "=pmc", "rsm pp", why="an overflow between look and write would be lost"),
    Needs("ia64_hw_pause", "=pmc", "rsm up", why="the same"),
    Then("ia64_hw_pause", "rsm pp", "srlz.d", ("=pmc", "pmc=", "ret"), why="the gate is shut when PMC[0] is read"),
    Needs("ia64_hw_pause", "pmc=", "=pmc", why="bits of what has overflowed are kept"),
    Then("ia64_hw_pause", "pmc=", "srlz.i", ("ssm pp", "ssm up", "ret"), why="frozen before a gate opens"),
    Then("ia64_hw_pause", "ssm pp", "srlz.d", why="what comes after is counted, or not, for certain"),
    Then("ia64_hw_pause", "ssm up", "srlz.d", why="the same"),
    Maybe("ia64_hw_pause", "ssm pp", "rsm pp", why="a gate that was shut stays so"),
    Maybe("ia64_hw_pause", "ssm up", "rsm pp", why="the same"),
    # enabling
    Has("ia64_hw_resume", "=pmc", "pmc=", "srlz.d"),
    Frozen("ia64_hw_resume", "no counter is programmed when all may count"),
    Needs("ia64_hw_resume", "pmc=", "=pmc", why="with an interrupt on its way the PMU stays frozen"),
    Needs("ia64_hw_resume", "pmc=", "srlz.d", WRITES, why="what was programmed holds before it counts"),
    Then("ia64_hw_resume", "pmc=", "srlz.i", why="it counts when this returns"),
    Maybe("ia64_hw_resume", "pmc=", "=pmc", why="the same interrupt"),
    # one counter
    Has("ia64_hw_arm", "pmc="),
    Has("ia64_hw_hold", "pmc="),
    Has("ia64_hw_disarm", "=pmc", "pmc="),
    Has("ia64_hw_disarm", "pmc[0]="),
    Needs("ia64_hw_disarm", "pmc[0]=", "=pmc[0]", why="bits of the others are kept"),
    Then("ia64_hw_disarm", "pmc=", "srlz.d", why="PMC[0] may be read next"),
    Has("ia64_hw_load", "pmd="),
    Then("ia64_hw_load", "pmd=", "srlz.d", why="a read of the count may be next"),
    Frozen("ia64_hw_load", "only the overflow is forgotten"),
    Needs("ia64_hw_load", "pmc[0]=", "=pmc[0]", why="bits of the others are kept"),
    Then("ia64_hw_load", "pmc=", "srlz.d", why="PMC[0] may be read next"),
    Has("ia64_hw_count", "=pmd"),
    # a CPU comes up
    Has("ia64_hw_reset", "pmc[0]=", "pmd="),
    Then("ia64_hw_reset", "pmc[0]=", "srlz.i", ("pmd=", "ret"), why="frozen before a counter is written"),
    Then("ia64_hw_reset", "pmc=", "srlz.d", why="nothing counts what it did before"),
    Then("ia64_hw_reset", "pmd=", "srlz.d", why="the same"),
    Needs("ia64_hw_reset", "pmd=", "pmc[0]=", why="frozen before a counter is written"),
    Has("ia64_hw_reset", "ibr=", "dbr="),
    Then("ia64_hw_reset", "ibr=", "srlz.d", why="no range of before"),
    Then("ia64_hw_reset", "dbr=", "srlz.d", why="the same"),
    Needs("ia64_hw_reset", "ibr=", "pmc[0]=", why="frozen before a range changes"),
    Needs("ia64_hw_reset", "dbr=", "pmc[0]=", why="the same"),
    Has("ia64_pmu_cpu_init", "pmv="),
    Always("ia64_pmu_cpu_init", "ssm pp", why="what it switches to is counted"),
    Then("ia64_pmu_cpu_init", "ssm pp", "srlz.d", why="it holds"),
    Needs("ia64_pmu_cpu_init", "pmv=", "call ia64_cpu_prepare", why="no interrupt of before"),
    Then("ia64_pmu_cpu_init", "pmv=", "srlz.d", why="interrupts come when IRQs are on"),
    Needs("ia64_events_init", "pmv=", "call ia64_cpu_prepare", why="the boot CPU, if that is inlined"),
    Then("ia64_events_init", "pmv=", "srlz.d", why="the same"),
    Sets("cpu_init", "dcr=", 1, why="dcr.pp: psr.pp is 1 after each interruption"),
    Has("cpu_init", "pmv=", "call ia64_pmu_cpu_init"),
    Always("cpu_init", "call ia64_pmu_cpu_init", why="each CPU that comes up"),
    Needs("cpu_init", "call ia64_pmu_cpu_init", "pmv=", why="what is masked is not masked after it"),
    NotAfter("cpu_init", "pmv=", "call ia64_pmu_cpu_init", why="the same"),
    NotAfter("cpu_init", "dcr=", "call ia64_pmu_cpu_init", why="counted from the first interruption on"),
    # PMCs and PMDs are written with the PMU paused
    Needs("ia64_event_start", "call ia64_hw_arm", "call ia64_hw_pause", ("call ia64_hw_resume",)),
    Needs("ia64_event_start", "call ia64_counter_resume", "call ia64_hw_pause", ("call ia64_hw_resume",)),
    Needs("ia64_event_start", "call ia64_hw_resume", "call ia64_hw_arm"),
    Needs("ia64_event_stop", "call ia64_hw_disarm", "call ia64_hw_pause", ("call ia64_hw_resume",)),
    Needs("ia64_event_stop", "call ia64_hw_resume", "call ia64_hw_disarm"),
    Has("ia64_event_start", "call ia64_hw_arm"),
    Has("ia64_event_stop", "call ia64_hw_disarm"),
    Always("ia64_disable", "call ia64_hw_pause"),
    # so are registers that several counters look at; who resumes serializes
    Has("ia64_hw_share", "pmc=", "ibr=", "dbr="),
    Has("ia64_claims_write", "call ia64_hw_share"),
    Never("ia64_claims_write", "call ia64_hw_resume"),
    Has("ia64_claims_release", "call ia64_hw_forget"),
    Never("ia64_claims_release", "call ia64_hw_resume"),
    Has("ia64_enable", "call ia64_claims_write"),
    NotAfter("ia64_enable", "call ia64_claims_write", "call ia64_hw_resume", why="the engine has disabled the PMU"),
    Has("ia64_del", "call ia64_claims_release"),
    Never("ia64_del", "call ia64_hw_resume", why="the same"),
    # switching
    Has("ia64_enable", "call ia64_hw_resume"),
    Needs("ia64_enable", "call ia64_hw_resume", "call ia64_user_enter", why="the task's gate before it counts"),
    Has("ia64_user_enter", "ssm up", "rsm up"),
    Maybe("ia64_user_enter", "ssm up", ENTRY, why="the task's gate may be shut"),
    Then("ia64_user_enter", "ssm up", "srlz.d", why="of the task what comes next"),
    Then("ia64_user_enter", "rsm up", "srlz.d", why="of the task nothing that comes next"),
    Never("ia64_user_enter", *PP, why="a task's event never opens or shuts the others' gate"),
    Has("load_elf_binary", "call ia64_user_exec"),
    Has("ia64_user_enter", "call ia64_claims_hide"),
    Has("user_comes", "call ia64_hw_resume"),
    Needs("user_comes", "call ia64_hw_resume", "call ia64_hw_pause", why="what is stale is wiped by that"),
    Needs("user_comes", "call ia64_hw_resume", "call ia64_claims_hide"),
    Has("ia64_user_switch", "call user_comes"),
    Maybe("ia64_user_switch", "call user_comes", ENTRY, why="not for who may not read"),
    Has("__schedule", "call ia64_user_switch", "call ia64_switch_to"),
    Needs("__schedule", "call ia64_switch_to", "call ia64_user_switch", why="on the CPU where the task will run"),
    NotAfter("__schedule", "call ia64_user_switch", "call ia64_switch_to", why="the same"),
    Has("ia64_user_exec", "call user_comes"),
    Needs("ia64_user_exec", "call user_comes", "rsm i", why="of this CPU"),
    Has("ia64_event_mapped", "call user_comes"),
    Needs("ia64_event_mapped", "call user_comes", "rsm i", why="psr.dfh is in the word that is written"),
    Never("ia64_event_start", *PP, *UP, why="counters start by PMC[0] alone"),
    Never("ia64_event_stop", *PP, *UP, why="the same"),
    Never("ia64_enable", *PP, *UP, why="the same"),
    Never("ia64_irq_handle", *PP, *UP, *WRITES, why="the same; through regs.c"),
)

# What the code does not tell, or not in a way that a rule could follow: a file says this, so often, and it is code.
TEXTS = (
    # of the task that comes, directly before the switch
    ("asm/switch_to.h", "->dfh = !ia64_is_local_fpu_owner(next); ia64_user_switch(next); "
                        "(last) = ia64_switch_to((next)); }", 1),
    ("asm/switch_to.h", "ia64_user_switch(", 1),
    # psr.pp is 1 in each task, psr.sp until it is let
    ("asm/kregs.h", "#define IA64_PSR_BITS_TO_SET (IA64_PSR_DFH | IA64_PSR_SP | IA64_PSR_PP)", 1),
    # a new task's psr.up is 0, its psr.pp is not touched: a thread of the kernel, and a child
    ("kernel/process.c", "child_ptregs->cr_ipsr = ((child_ptregs->cr_ipsr | IA64_PSR_BITS_TO_SET) "
                         "& ~(IA64_PSR_BITS_TO_CLEAR | IA64_PSR_UP)); return", 2),
    ("kernel/process.c", "cr_ipsr = ", 3),
    ("kernel/process.c", "IA64_PSR_PP", 0),
    # a program's frame is made, and then its driver is asked
    ("asm/processor.h", "regs->cr_ipsr = ((regs->cr_ipsr | (IA64_PSR_BITS_TO_SET | IA64_PSR_CPL)) "
                        "& ~(IA64_PSR_BITS_TO_CLEAR | IA64_PSR_RI | IA64_PSR_IS)); ia64_user_exec();", 1),
    ("asm/processor.h", "ia64_user_exec();", 1),
    ("asm/processor.h", "cr_ipsr = ", 1),
)

# In the whole kernel each of these stands in these functions alone.
ONLY = (
    (("pmc=", "=pmc"), r"ia64_hw_\w+"),
    (("pmd=", "=pmd"), r"ia64_hw_\w+"),
    # ia64_load_debug_regs() has a debugger's, at a switch of tasks.
    (("ibr=", "dbr="), r"ia64_hw_\w+|ia64_load_debug_regs"),
    (("call ia64_hw_share",), r"ia64_claims_write|ia64_hw_forget"),
    (("call ia64_hw_forget",), r"ia64_claims_release"),
    (("call ia64_claims_write",), r"ia64_enable"),
    (("call ia64_claims_release",), r"ia64_del"),
    (("call ia64_claims_hide",), r"ia64_user_enter|user_comes"),
    (("call user_comes",), r"ia64_user_switch|ia64_user_exec|ia64_event_mapped"),
    (("call ia64_user_switch",), r"__schedule"),
    (("call ia64_switch_to",), r"__schedule"),
    (("call ia64_hw_thaw",), r"ia64_irq_handle|handle_nothing"),
    (("call ia64_user_exec",), r"load_elf_binary"),
    (PP, r"ia64_hw_pause|ia64_pmu_cpu_init|ia64_events_init"),
    (UP, r"ia64_hw_pause|ia64_user_enter"),
    (USER_UP, r"(none)"),      # they do nothing while psr.sp is set
    # cpu_init() masks the interrupt, RestRR of head.S gives the firmware back what was its own.
    (("pmv=",), r"ia64_pmu_cpu_init|ia64_events_init|cpu_init|machine_kexec|RestRR"),
)
