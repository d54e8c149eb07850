// SPDX-License-Identifier: GPL-2.0
/*
 * A group's AUX area: what members have of the one that their leader fills.
 *
 * Concepts: a member, of whatever PMU, says in its attr what it wants of the area:
 *
 *	aux_sample_size		each of its samples ends with so many of the last bytes
 *	aux_output		its hardware writes to the area, not to the ring
 *	aux_pause		its overflows let the leader's hardware pause
 *	aux_resume		its overflows let it go on; with aux_start_paused the leader waits for the first
 *
 * The leader is the one that the group has, so there is no other link between them, and it goes on its counter first.
 * A member that loses its leader stops, in error; who enables it then has an event that counts, with samples without
 * bytes.
 *
 * The bytes are copied by the leader's driver as the sample is written, which stops its hardware for that time. How
 * many was said before, when the sample was measured; whatever happened in between, so many are written.
 *
 * Contexts: overflows, NMI included, on the CPU of the event; the check in process context.
 * Locks: none. With IRQs off neither the leader nor the area goes.
 */
#include "buffer.h"
#include "sample.h"

/* ---- who may be in the group ---- */

static bool may_output(struct perf_event *event, struct perf_event *leader)
{
	struct pmu *pmu = event->pmu;

	return has_aux(leader) && pmu->aux_output_match && pmu->aux_output_match(leader);
}

/* What it wants of its leader's area, can it have that? ctx->mutex held. */
int pcl_aux_check_leader(struct perf_event *event, struct pcl_why *why)
{
	struct perf_event *leader = event->group_leader;
	bool outputs = event->attr.aux_output, samples = event->attr.aux_sample_size;
	bool pauses = event->attr.aux_pause || event->attr.aux_resume;

	if (!outputs && !samples && !pauses)
		return 0;
	if (leader == event)
		return pcl_refuse(why, PCL_REASON_AUX_ALONE);
	lockdep_assert_held(&leader->ctx->mutex);
	if (outputs && samples)
		return pcl_refuse(why, PCL_REASON_AUX_BOTH);
	if (outputs && !may_output(event, leader))
		return pcl_refuse(why, PCL_REASON_AUX_OUTPUT_LEADER);
	if (samples && !leader->pmu->snapshot_aux)
		return pcl_refuse(why, PCL_REASON_AUX_SAMPLE_LEADER);
	if (pauses && !(leader->pmu->capabilities & PERF_PMU_CAP_AUX_PAUSE))
		return pcl_refuse(why, PCL_REASON_AUX_PAUSE_LEADER);
	return 0;
}

/* What its own PMU must be able to, whatever the group. As the event is made. */
int pcl_aux_check_pmu(struct perf_event *event, struct pcl_why *why)
{
	struct perf_event_attr *attr = &event->attr;
	int able = event->pmu->capabilities;

	if (!attr->aux_output && !attr->aux_action)
		return 0;
	if (attr->aux_output && !(able & PERF_PMU_CAP_AUX_OUTPUT))
		return pcl_refuse(why, PCL_REASON_AUX_OUTPUT_PMU);
	if (attr->aux_output && (attr->aux_pause || attr->aux_resume))
		return pcl_refuse(why, PCL_REASON_AUX_PAUSE_OUTPUT);
	if (attr->aux_pause && attr->aux_resume)
		return pcl_refuse(why, PCL_REASON_AUX_PAUSE_BOTH);
	if (attr->aux_start_paused && !(able & PERF_PMU_CAP_AUX_PAUSE))
		return pcl_refuse(why, PCL_REASON_AUX_START_PAUSED_PMU);
	event->hw.aux_paused = attr->aux_start_paused;
	return 0;
}

/* The area that the leader of @event has, with a reference; NULL: none, or it is not on this CPU. IRQs off, or NMI. */
static struct pcl_aux *leaders_area(struct perf_event *event)
{
	struct perf_event *leader = READ_ONCE(event->group_leader);
	struct perf_buffer *rb;

	pcl_assert_irqs_off_or_nmi();
	return leader != event && pcl_event_counts_here(leader) ? pcl_aux_get(leader, &rb) : NULL;
}

/* ---- AUX in samples ---- */

/*
 * The area from which samples of @event are taken now, with a reference, or NULL: only from one that is overwritten,
 * where the last bytes are always there; in NMI, none while another is. IRQs off, or NMI.
 */
static struct pcl_aux *sampled_area(struct perf_event *event)
{
	struct pcl_aux *aux = event->attr.aux_sample_size ? leaders_area(event) : NULL;

	pcl_assert_irqs_off_or_nmi();
	if (!aux || (aux->overwrite && READ_ONCE(aux->busy) && !READ_ONCE(aux->sampled)))
		return aux;
	pcl_aux_put(aux);
	return NULL;
}

unsigned int pcl_aux_known(const struct perf_event_attr *attr)
{
	return sizeof(u64);
}

/* The last field: what the others leave of a record, at most. */
unsigned int pcl_aux_measure(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs,
			     unsigned int size)
{
	unsigned int room = size < PCL_RECORD_LIMIT ? PCL_RECORD_LIMIT - size : 0;
	struct pcl_aux *aux;
	unsigned long flags;

	data->aux_size = 0;
	local_irq_save(flags);
	aux = sampled_area(event);
	if (aux) {
		data->aux_size = min3((unsigned long)event->attr.aux_sample_size & ~7UL, (unsigned long)room,
				      pcl_aux_size(aux));
		pcl_aux_put(aux);
	}
	local_irq_restore(flags);
	return data->aux_size;
}

static long copy_bytes(struct perf_output_handle *handle, struct perf_event *event, unsigned long bytes)
{
	struct perf_event *leader = event->group_leader;
	struct pcl_aux *aux;
	unsigned long flags;
	long copied = 0;

	local_irq_save(flags);
	aux = sampled_area(event);
	if (aux) {
		/* An NMI here takes no sample: the hardware is the driver's. */
		WRITE_ONCE(aux->sampled, true);
		copied = leader->pmu->snapshot_aux(leader, handle, bytes);
		WRITE_ONCE(aux->sampled, false);
		pcl_aux_put(aux);
	}
	local_irq_restore(flags);
	return copied;
}

void pcl_aux_write(struct perf_output_handle *handle, struct perf_event *event, struct perf_sample_data *data)
{
	static const u64 nothing;
	long left, part;

	perf_output_put(handle, data->aux_size);
	if (!data->aux_size)
		return;
	left = data->aux_size - max(copy_bytes(handle, event, data->aux_size), 0L);
	if (WARN_ON_ONCE(left < 0))
		return;
	for (; left; left -= part) {
		part = min_t(long, left, sizeof(nothing));
		perf_output_copy(handle, &nothing, part);
	}
}

/* ---- pause and resume ---- */

static void leader_pause(struct perf_event *leader, bool pause)
{
	if (leader->hw.aux_paused == pause)
		return;
	leader->hw.aux_paused = pause;
	if (pause)
		leader->pmu->stop(leader, PERF_EF_PAUSE);
	else
		leader->pmu->start(leader, PERF_EF_RESUME);
}

/*
 * From an overflow of @event: its leader's hardware pauses, or goes on. An NMI amidst this changes nothing: which of
 * the two was the last could not be told.
 */
void pcl_aux_pause(struct perf_event *event, bool pause)
{
	struct pcl_aux *aux;
	unsigned long flags;

	local_irq_save(flags);
	aux = leaders_area(event);
	if (aux && !READ_ONCE(aux->pausing)) {
		WRITE_ONCE(aux->pausing, true);
		leader_pause(event->group_leader, pause);
		WRITE_ONCE(aux->pausing, false);
	}
	if (aux)
		pcl_aux_put(aux);
	local_irq_restore(flags);
}
