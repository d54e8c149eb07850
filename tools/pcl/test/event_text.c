// SPDX-License-Identifier: GPL-2.0
/*
 * What a text of -e is parsed to: for each event its name, type, config and the CPUs of its cores.
 * Usage: event_text TEXT
 */
#include <stdio.h>

#include "internal.h"

static void print_cpus(const struct int_list *l)
{
	unsigned int i, k;

	for (i = 0; i < l->nr; i = k) {
		for (k = i + 1; k < l->nr && l->v[k] == l->v[k - 1] + 1; k++)
			;
		printf(k - i > 1 ? "%s%d-%d" : "%s%d", i ? "," : " ", l->v[i], l->v[k - 1]);
	}
}

int main(int argc, char **argv)
{
	struct event_list l = { 0 };
	struct parse_error err;
	unsigned int i;
	int ret;

	if (argc != 2)
		return 2;
	ret = events_parse(&l, argv[1], &err);
	if (ret)
		printf("%s\n", err.text);
	if (ret && err.hint[0] && err.hint[0] != '\'')
		printf("hint: %s\n", err.hint);
	for (i = 0; !ret && i < l.nr; i++) {
		printf("%s %u %#llx", l.v[i]->name, l.v[i]->attr.type, (unsigned long long)l.v[i]->attr.config);
		print_cpus(&l.v[i]->core_cpus);
		putchar('\n');
	}
	event_list_free(&l);
	return ret != 0;
}
