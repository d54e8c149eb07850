// SPDX-License-Identifier: GPL-2.0
/*
 * The objects that processes map.
 *
 * Concepts: each file is an object, but files of one name whose build ids are known to be the same are one: the copies
 * of a library in several containers, and a file that is told once by its build id and once by its inode. A recording
 * tells build ids in its records, or at its end by name.
 * Contexts: the thread that takes in records.
 * Locks: none.
 */
#include <stdlib.h>
#include <string.h>

#include "tasks/tasks.h"

/* How many other files of its name were told of by their inodes before this one. */
static unsigned int number_of_name(const struct file_keys *s, u32 file)
{
	unsigned int nr = 0;
	u32 i;

	for (i = 0; i < file; i++)
		nr += !s->v[i].build_id_len && !strcmp(s->v[i].name, s->v[file].name);
	return nr;
}

/* Say what build id the file has, if the end of the recording knows it. */
static bool take_build_id(const struct file_keys *s, u32 file, const struct pd_file *f, struct pd_mmap *m)
{
	const struct pd_build_id *b = pd_build_id_of(f, m->name, 0);

	/* most names have one */
	if (b && pd_build_id_of(f, m->name, 1) != b)
		b = pd_build_id_of(f, m->name, number_of_name(s, file));
	if (!b)
		return false;
	m->by_build_id = true;
	m->build_id_len = b->len;
	memcpy(m->build_id, b->id, sizeof(m->build_id));
	return true;
}

static struct mapped_object *object_new(struct mapped_objects *o, const struct pd_mmap *m, const char *name)
{
	struct mapped_object *new = mem_zalloc(1, sizeof(*new));

	new->index = o->nr;
	new->name = name;
	new->has_ino = m->inode != 0;
	new->ino = m->inode;
	new->build_id_len = m->build_id_len;
	memcpy(new->build_id, m->build_id, sizeof(new->build_id));
	o->v = mem_resize(o->v, o->nr + 1, sizeof(*o->v));
	o->v[o->nr++] = new;
	return new;
}

/* Where the object of this file is kept. */
static struct mapped_object **place_of(struct mapped_objects *o, const struct pd_mmap *m, u32 *file)
{
	u32 before = o->files.nr;

	*file = file_keys_add(&o->files, m);
	if (*file == before) {
		o->of_file = mem_resize(o->of_file, before + 1, sizeof(*o->of_file));
		o->of_file[before] = NULL;
	}
	return &o->of_file[*file];
}

/* The object of a mapping; f tells build ids by name, or is NULL. */
const struct mapped_object *mapped_object_of(struct mapped_objects *o, const struct pd_file *f,
					     const struct pd_mmap *m)
{
	struct pd_mmap known = *m;
	struct mapped_object *object;
	u32 file, by_id;

	object = *place_of(o, m, &file);
	if (object)
		return object;
	if (f && !m->build_id_len && take_build_id(&o->files, file, f, &known))
		object = *place_of(o, &known, &by_id);
	else
		by_id = file;
	if (!object)
		object = object_new(o, &known, o->files.v[file].name);
	o->of_file[file] = o->of_file[by_id] = object;
	return object;
}

void mapped_objects_free(struct mapped_objects *o)
{
	unsigned int i;

	for (i = 0; i < o->nr; i++)
		free(o->v[i]);
	free(o->v);
	free(o->of_file);
	file_keys_free(&o->files);
	*o = (struct mapped_objects){ 0 };
}
