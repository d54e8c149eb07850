# SPDX-License-Identifier: GPL-2.0
"""What must stand where in the SPARC driver's code, and in what order, on every way through a function.

Why it is so: arch/sparc/events/hardware.c, regs.c and boot.c.
"""

from kinds import Always, Has, Needs, Never, Rule, Then


class Line(Rule):
    """Each @what is at the begin of a line of 64 bytes, and a @then is next."""

    def __init__(self, function, what, then, why=""):
        super().__init__(function, why)
        self.what, self.then = what, then

    def complaints(self, function):
        for one, after in zip(function.code, function.code[1:] + [None]):
            if self.what not in one.names:
                continue
            if one.at[0] % 64:
                yield "%s: %s at %x" % (function.name, one.text, one.at[0])
            if not after or self.then not in after.names or after.at[0] != one.at[0] + 4:
                yield "%s: %s is not followed by %s" % (function.name, one.text, self.then)


REGISTERS = ("rd pcr", "wr pcr", "rd pic", "wr pic", "ld ASI_PIC", "st ASI_PIC")
# The PMU goes on here; sparc_user_resume() ends so on each way, see below. go_on() ends by that; it may be in its callers.
RESUMED = ("call sparc_hw_resume", "call sparc_user_resume", "call go_on")

RULES = (
    # registers
    Has("asr_read_pcr", "rd pcr"),
    Has("asr_write_pcr", "wr pcr"),
    Has("asr_read_pic", "rd pic"),
    Has("asr_write_pic", "wr pic"),
    Line("asr_write_pic", "wr pic", "rd pic", why="UltraSPARC II may lose it otherwise"),
    Has("asr_ask_pcr", "call sun4v_niagara2_setperf"),
    Never("asr_ask_pcr", *REGISTERS, why="the hypervisor writes"),
    Has("t4_read_pcr", "call sun4v_vt_get_perfreg"),
    Has("t4_write_pcr", "call sun4v_vt_set_perfreg"),
    Has("t4_read_pic", "ld ASI_PIC"),
    Has("t4_write_pic", "st ASI_PIC"),
    # counters are programmed with the PMU paused
    Has("sparc_start", "call sparc_hw_arm", "call sparc_counter_resume"),
    Needs("sparc_start", "call sparc_hw_arm", "call sparc_hw_pause", RESUMED),
    Needs("sparc_start", "call sparc_counter_resume", "call sparc_hw_pause", RESUMED, why="both counters are written"),
    Has("sparc_stop", "call sparc_hw_disarm", "call sparc_counter_advance"),
    Needs("sparc_stop", "call sparc_hw_disarm", "call sparc_hw_pause", RESUMED),
    Needs("sparc_stop", "call sparc_counter_advance", "call sparc_hw_pause", RESUMED, why="a stopped counter may go on"),
    Always("sparc_disable", "call sparc_hw_pause"),
    Needs("sparc_irq_handle", "call sparc_user_resume", "call sparc_hw_freeze"),
    Then("sparc_irq_handle", "call sparc_hw_freeze", "call sparc_user_resume", why="it counts again"),
    Then("sparc_cpu_refresh", "call sparc_hw_pause", RESUMED, why="it counts again"),
    Then("sparc_counter_renew", "call sparc_hw_pause", RESUMED, why="it counts again"),
    Always("sparc_user_resume", "call sparc_hw_resume"),
    Has("handle_nmi", "call sparc_irq_handle", "call sparc_hw_acknowledge"),
    # the counters change hands
    Has("take_here", "call sparc_cpu_reset"),
    Needs("take_here", "call sparc_cpu_reset", "call stop_nmi_watchdog", why="nobody else writes them"),
    Has("start_nmi_watchdog", "call sparc_counters_taken"),
    # windows are in memory before frames are followed
    Always("perf_callchain_kernel", "call stack_trace_flush"),
    Has("perf_callchain_user", "call __flushw_user"),
)

TEXTS = ()

# In the whole kernel each of these stands in these functions alone.
ONLY = (
    # those of pcr.c, which the watchdog uses, and a dump of all CPUs, which reads
    (("wr pcr", "wr pic"), r"asr_write_\w+|direct_\w+_write|n2_pcr_write"),
    (("rd pcr", "rd pic"), r"asr_\w+|direct_\w+|xcall_fetch_glob_pmu"),
    (("ld ASI_PIC", "st ASI_PIC"), r"t4_(read|write)_pic|n4_pic_(read|write)|xcall_fetch_glob_pmu_n4"),
)
