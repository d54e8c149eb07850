/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For a model of several chips: its table of them, chips[] of struct chip, by name and one by one.
 */
#ifndef PCL_USER_CHIPS_H
#define PCL_USER_CHIPS_H

#define each_chip(chip)	for ((chip) = chips; (chip) < chips + ARRAY_SIZE(chips); (chip)++)

static const struct chip *chip_named(const char *name)
{
	const struct chip *chip;

	each_chip(chip) {
		if (!strcmp(chip->name, name))
			return chip;
	}
	CHECK(!"a chip of that name");
	return NULL;
}

#endif
