/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The terminal interface: a screen, and what can be looked through on it.
 */
#ifndef PCL_UI_H
#define PCL_UI_H

#include "profile/profile.h"

/* Beside what ncurses knows of keys. */
enum { UI_TIMEOUT = -1, UI_STOP = -2 };

enum ui_style { UI_PLAIN, UI_HOT, UI_WARM, UI_COLD, UI_BAR, UI_HEAD, UI_NR_STYLES };

/* screen.c */
bool ui_possible(void);
int ui_begin(void);
void ui_end(void);
int ui_key(int timeout_ms);
int ui_rows(void);
int ui_columns(void);
void ui_clear(void);
void ui_show(void);
void ui_line(int row, enum ui_style style, bool chosen, const char *text);
enum ui_style ui_style_of(double percent);
const char *ui_mark(bool can_open, bool open);
char *ui_ask(const char *question);

/* pages.c */
void ui_page(const char *title, char *const *lines, unsigned int nr);
void ui_help(const char *const *lines, unsigned int nr);
int ui_annotate(const char *input, const char *kallsyms, const char *symbol);

/* browser.c */
/* What is looked through. The filters of the view are the browser's. */
struct browser {
	const struct profile *profile;
	const struct pd_file *file;
	struct view *view;
	const char *input;	/* the file, for other commands */
	bool has_chains;
};

int ui_browse(struct browser *b);

#endif /* PCL_UI_H */
