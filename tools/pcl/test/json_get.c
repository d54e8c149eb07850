// SPDX-License-Identifier: GPL-2.0
/*
 * json_get PATH: reads one JSON document from standard input and prints the
 * type and value at PATH, such as "events.0.value" or "events.name=cycles.value"
 * (the first object of the array that has this); fails when it is no JSON.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *element(json_t *array, char *word)
{
	char *text = strchr(word, '=');
	const char *has;
	json_t *v;
	size_t i;

	if (!text)
		return json_array_get(array, (size_t)atoi(word));
	*text++ = '\0';
	json_array_foreach(array, i, v) {
		has = json_string_value(json_object_get(v, word));
		if (has && !strcmp(has, text))
			return v;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	json_error_t err;
	json_t *v = json_loadf(stdin, JSON_REJECT_DUPLICATES, &err);
	char *path = strdup(argc > 1 ? argv[1] : ""), *word;

	if (!v) {
		fprintf(stderr, "no JSON: %s at line %d\n", err.text, err.line);
		return 1;
	}
	for (word = strtok(path, "."); word && v; word = strtok(NULL, "."))
		v = json_is_array(v) ? element(v, word) :
		    json_object_get(v, word);
	if (!v)
		puts("absent");
	else if (json_is_string(v))
		printf("string %s\n", json_string_value(v));
	else if (json_is_number(v))
		printf("number %.9g\n", json_number_value(v));
	else if (json_is_array(v))
		printf("array %zu\n", json_array_size(v));
	else if (json_is_null(v))
		puts("null");
	else
		puts("other");
	return 0;
}
