// SPDX-License-Identifier: GPL-2.0
/*
 * Both headers in one program, in the order FIRST, SECOND: whichever comes second adds only what is missing.
 */
#include FIRST
#include SECOND
#include <errno.h>

/* Stock's attr is as long as that of 6.1. */
#ifdef PERF_ATTR_SIZE_VER8
#define ATTR_SIZE PERF_ATTR_SIZE_VER8
#else
#define ATTR_SIZE PERF_ATTR_SIZE_VER7
#endif

#define COUNT(name, errnum, field, text) + ((errnum) > 0 && sizeof(text) > 1 && (field) >= -1)

int main(void)
{
	struct pcl_open open = { .size = PCL_OPEN_SIZE_VER0 };
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int rows = 0 PCL_REASONS(COUNT);

	return !(sizeof(open) == open.size && attr.size == ATTR_SIZE && rows > 0 &&
		 PCL_FLAG_OPEN > PERF_FLAG_FD_CLOEXEC && PCL_REASON_MAX > rows);
}
