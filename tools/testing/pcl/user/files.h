/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For a driver's test: the files that it shows in sysfs, looked through as a program would.
 */
#ifndef PCL_USER_FILES_H
#define PCL_USER_FILES_H

#include <stdarg.h>

int sysfs_emit(char *page, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(page, 4096, format, arguments);
	va_end(arguments);
	return length;
}

/* How many texts were made; which of them there is no memory for, 0: for all there is */
static unsigned int nr_texts, text_without_memory;

/* Kept until as many more were made. */
char *kasprintf(unsigned int flags, const char *format, ...)
{
	static char texts[64][64];
	char *text = texts[nr_texts++ % ARRAY_SIZE(texts)];
	va_list arguments;

	if (nr_texts == text_without_memory)
		return NULL;
	va_start(arguments, format);
	vsnprintf(text, sizeof(texts[0]), format, arguments);
	va_end(arguments);
	return text;
}

/* Files of this chip, as many as are shown; their text without its newline */
static struct shown {
	const char *group, *file;
	char text[4096];
} shown[64];
static unsigned int nr_shown;

/* Those of a group that a chip before this one had */
static void forget_files(const struct attribute_group **groups, const char *name)
{
	unsigned int i;

	for (; *groups; groups++) {
		for (i = 0; !strcmp((*groups)->name, name) && (*groups)->attrs[i]; i++)
			(*groups)->attrs[i] = NULL;
	}
}

static void show_files(const struct attribute_group **groups)
{
	unsigned int i;

	nr_shown = 0;
	for (; *groups; groups++) {
		for (i = 0; (*groups)->attrs[i]; i++) {
			struct device_attribute *file = container_of((*groups)->attrs[i], struct device_attribute, attr);
			struct shown *one = &shown[nr_shown];
			umode_t mode = file->attr.mode;
			size_t length;

			if ((*groups)->is_visible)
				mode = (*groups)->is_visible(NULL, &file->attr, i);
			if (!mode)
				continue;
			CHECK_EQ(mode, 0444);
			CHECK(nr_shown < ARRAY_SIZE(shown));
			*one = (struct shown){ .group = (*groups)->name, .file = file->attr.name };
			length = file->show(NULL, file, one->text);
			CHECK_EQ(length, strlen(one->text));
			CHECK(length && one->text[length - 1] == '\n');
			one->text[length - 1] = 0;
			nr_shown++;
		}
	}
}

/* The text of a file, NULL when it is not shown */
static const char *shown_text(const char *group, const char *file)
{
	unsigned int i;

	for (i = 0; i < nr_shown; i++) {
		if (!strcmp(shown[i].group, group) && !strcmp(shown[i].file, file))
			return shown[i].text;
	}
	return NULL;
}

/* A text that there is no memory for is no file, and those behind it are. @fall: files that go with the first text */
static void check_without_memory(void (*show_chip)(void), unsigned int fall)
{
	unsigned int i, j, all, texts;

	nr_texts = 0;
	show_chip();
	all = nr_shown;
	texts = nr_texts;
	CHECK(texts);
	for (i = 1; i <= texts; i++) {
		nr_texts = 0;
		text_without_memory = i;
		show_chip();
		text_without_memory = 0;
		CHECK_EQ(nr_shown, all - (i == 1 ? fall : 1));
		for (j = 0; j < nr_shown; j++)
			CHECK(!strstr(shown[j].text, "null"));
	}
}

/* @chip's file says that, and nothing else. */
static void check_text(const char *chip, const char *group, const char *file, const char *text)
{
	const char *found = shown_text(group, file);

	if (!found || strcmp(found, text))
		printf("# %s: %s/%s: %s\n", chip, group, file, found ?: "absent");
	CHECK(found && !strcmp(found, text));
}

#endif
