# SPDX-License-Identifier: GPL-2.0
# The driver's registers against libpfm4's encoders: steps of ../run, which sources this.

encoder=$here/encoder
noun=ia64_encoder
. "$user/build.sh"

# What the driver is made of, as the test of it has it
driver_sources() {
	awk -F '\t' '$1 == "ia64" { print $2; exit }' "$user/nouns" | tr ' ' '\n' | sed "s|^|$top/|"
}

# libpfm4's files as they are. Each is reached by a link, as beside itself it would find libpfm4's own pfmlib_priv.h.
# Its warnings are not ours.
build_theirs() {
	local chip objects=$work/$noun.objects

	for chip in itanium itanium2 montecito; do
		ln -sf "$tree/lib/pfmlib_$chip.c" "$work/" &&
			"$cc" "${flags[@]}" -w -I "$encoder/shim" -I "$tree/lib" -I "$tree/lib/events" -c \
				-o "$objects/theirs-$chip.o" "$work/pfmlib_$chip.c" || return 1
	done
	for chip in library merced itanium2 montecito; do
		"$cc" "${flags[@]}" -I "$encoder/shim" -I "$tree/lib" -c \
			-o "$objects/chip-$chip.o" "$encoder/$chip.c" || return 1
	done
}

# build_encoder: all of it
build_encoder() {
	local sources

	mapfile -t sources < <(driver_sources)
	cut_structs
	cut_driver_structs
	build_objects "$noun" "$encoder/compare.c" "${sources[@]}" && build_theirs >>"$work/$noun.build" 2>&1 &&
		build_program "$noun"
}

# Broken on purpose: a file of the driver, and a sed expression. What is broken is done with at the first difference; as
# many are built and run at once as there are processors.
busts=()
bust_encoder() {
	busts+=("$1"$'\t'"$2")
}

# run_bust NUMBER SOURCE EXPRESSION: the verdict goes to a file, with what there is to say of it
run_bust() {
	local variant=$noun-busted-$1 source=$top/$2 expression=$3 copy

	echo "did not finish" >"$work/$variant.verdict"
	copy=$work/$variant.d/$(basename "$source")
	mkdir -p "$work/$variant.d"
	sed "$expression" "$source" >"$copy"
	if cmp -s "$copy" "$source"; then
		echo "nothing in the file matches"
	elif ! build_busted "$noun" "$variant" "$source" "$copy"; then
		cat "$work/$variant.build"
	else
		rm -f "$work/$variant.lines"
		FEW=1 "$work/$variant" >"$work/$variant.lines" 2>&1 || true
		# What a check of the model sees is no difference.
		grep '^unexplained' "$work/$variant.lines" | grep -qv 'a check failed' && echo seen || echo "nothing is seen"
	fi >"$work/$variant.said" 2>&1
	mv "$work/$variant.said" "$work/$variant.verdict"
}

run_busts() {
	local i source expression verdict

	rm -f "$work/$noun"-busted-*.verdict
	for i in "${!busts[@]}"; do
		IFS=$'\t' read -r source expression <<<"${busts[i]}"
		run_bust "$i" "$source" "$expression" &
		(((i + 1) % $(nproc))) || wait
	done
	wait
	for i in "${!busts[@]}"; do
		verdict=$(cat "$work/$noun-busted-$i.verdict" 2>&1) || true
		[ "$verdict" = seen ] && status=0 || status=1
		[ $status = 0 ] || sed 's/^/# /' <<<"$verdict"
		report $status "the encoders differ: ${busts[i]//$'\t'/ }"
	done
}

if build_encoder; then
	"$work/$noun" >"$work/$noun.lines" 2>"$work/$noun.compared" && status=0 || status=1
	judge "$work/$noun.lines" "$encoder/differences" || status=1
	grep '^#' "$work/$noun.compared" || true
	cases=$(grep -v '^#' "$work/$noun.compared")
	report $status "$cases cases make of the registers what libpfm4's encoders make of them"
else
	sed 's/^/# /' "$work/$noun.build"
	report 1 "the comparison with the encoders builds"
fi

# Fewer cases, as broken variants have: by themselves they differ in nothing that is not known.
FEW=1 "$work/$noun" >"$work/$noun.few" 2>/dev/null && ! grep '^unexplained' "$work/$noun.few" && status=0 || status=1
report $status "fewer cases have no other difference"

driver=arch/ia64/events
# levels, gate, threshold, unit mask, line states; of reserved bits the model itself complains
bust_encoder $driver/config.c 's/plm |= IA64_PMC_KERNEL;/plm |= IA64_PMC_KERNEL << 1;/'
bust_encoder $driver/config.c 's/if (!(hwc->config & IA64_CONFIG_UP))/if (hwc->config \& IA64_CONFIG_UP)/'
bust_encoder $driver/config.c 's/event->hw.config = config;/event->hw.config = config \& ~IA64_PMC_THRESHOLD;/'
bust_encoder $driver/regs.c 's/select | reg->reset/(select \& ~0x80000ULL) | reg->reset/'
bust_encoder $driver/config.c 's/config |= IA64_PMC_MESI;/config |= BIT(30);/'
bust_encoder $driver/config.c 's/levels_of(&event->attr) | IA64_PMC_INTERRUPT;/levels_of(\&event->attr) | IA64_PMC_INTERRUPT | BIT_ULL(23);/'
# event address registers: mode, unit mask
bust_encoder $driver/ear.c 's/ | ear->mode\[.*\]\.select;/;/'
bust_encoder $driver/itanium2.c 's/\.pm = 4, \.umask = 5,/.pm = 4, .umask = 6,/'
# branches: kind, levels, where predictions are from; addresses of what retired
bust_encoder $driver/trace.c 's/(u64)kind << trace->kinds/(u64)(kind \& 2) << trace->kinds/'
bust_encoder $driver/trace.c 's/if (counts_branches)/if (0)/'
bust_encoder $driver/trace.c 's/IA64_TRACE_ALL, IA64_TRACE_EITHER, event->hw.config & IA64_PMC_PLM/IA64_TRACE_ALL, IA64_TRACE_EITHER, IA64_PMC_PLM/'
bust_encoder $driver/trace.c 's/IA64_TRACE_ALL, IA64_TRACE_EITHER,/IA64_TRACE_ALL, IA64_TRACE_TAKEN,/'
bust_encoder $driver/trace.c 's/has_branch_stack(event) || counts_branches/has_branch_stack(event)/'
bust_encoder $driver/trace.c 's/plm |= IA64_PMC_USER;/plm |= IA64_PMC_PLM;/'
bust_encoder $driver/merced.c 's/\.sources = BIT(7) | /.sources = /'
bust_encoder $driver/trace.c 's/IA64_IP_DELAY_OF(event->hw.config)/(IA64_IP_DELAY_OF(event->hw.config) >> 1)/'
# opcodes: narrow and wide, the second matcher
bust_encoder $driver/claims.c 's/claims\[0\].value = config1 | (/claims[0].value = (config1 \& ~8ULL) | (/'
bust_encoder $driver/claims.c 's/claims\[1\].value = config1 & IA64_MATCH_WIDE;/claims[1].value = config2;/'
bust_encoder $driver/montecito.c 's/\.second_matcher = BIT(1) | BIT(3)/.second_matcher = BIT(1)/'
# ranges: fine, coarse, of data, and what says that there is one
bust_encoder $driver/range.c 's/IA64_IBR(4), end - 16, mask/IA64_IBR(4), end, mask/'
bust_encoder $driver/range.c 's/start >> ranges->page == (end - 1) >> ranges->page/(& || !(end \& (BIT_ULL(ranges->page) - 1)))/'
bust_encoder $driver/range.c 's/size <= IA64_DEBUG_MASK + 1/size <= 2 * (IA64_DEBUG_MASK + 1)/'
bust_encoder $driver/range.c 's/start, ~(end - start - 1)/start, ~(end - start)/'
bust_encoder $driver/range.c 's/config2 - event->attr.config1 - 1)/config2 - event->attr.config1)/'
bust_encoder $driver/montecito.c 's/\.tag_data = BIT(3)/.tag_data = BIT(4)/'
bust_encoder $driver/itanium2.c 's/\.matched = BIT(0) | BIT(1)/.matched = BIT(1)/'
# of ranges that libpfm4 does not take: what says that there is one; then why both refuse
large="(ranges->page == 16 \&\& (event->attr.config2 - event->attr.config1) >> 17 \&\& ia64_row(event)->code != IA64_INST_RETIRED)"
bust_encoder $driver/range.c "s/~ranges->coarse)/~($large ? 0 : (u64)ranges->coarse))/"
bust_encoder $driver/range.c "s/~ranges->tag_fetch)/~($large ? 0 : (u64)ranges->tag_fetch))/"
bust_encoder $driver/config.c 's/PCL_REASON_IA64_OPCODE_EVENT/PCL_REASON_IA64_OPCODE_BITS/'
# groups: what cannot be counted together, anchors, the same opcodes, unit masks
bust_encoder $driver/places.c 's/\.alone = row->alone,//'
bust_encoder $driver/itanium2.c 's/\.counters = PMC4_7, \.anchor = 5/.counters = PMC4_7, .anchor = 6/'
bust_encoder $driver/claims.c 's/mine\[i\].value != theirs\[j\].value/mine[i].value != ia64_reset_of(mine[i].nr)/'
bust_encoder $driver/places.c 's/\.cares = !row->any_umask.*/.cares = false,/'
run_busts
