// SPDX-License-Identifier: GPL-2.0
/*
 * Purpose: what is random in a sequence: the same for the same seed and number, on any kernel.
 *
 * Concepts: splitmix64. How often it is asked must depend on nothing that a kernel answers.
 */
#include "differ.h"

static uint64_t state;

uint64_t chance(void)
{
	uint64_t x = state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

void chance_begin(uint64_t seed, uint64_t number)
{
	state = seed * 0x2545f4914f6cdd1d;
	state = chance() ^ number;
	chance();
}

unsigned int roll(unsigned int sides)
{
	return (chance() >> 32) * sides >> 32;
}

bool odds(unsigned int one_in)
{
	return roll(one_in) == 0;
}

unsigned int weighted(const unsigned char *weights, unsigned int nr)
{
	unsigned int i, sum = 0, at;

	for (i = 0; i < nr; i++)
		sum += weights[i];
	at = roll(sum);
	for (i = 0; at >= weights[i]; i++)
		at -= weights[i];
	return i;
}

uint64_t odd_number(void)
{
	static const uint64_t numbers[] = {
		0, 1, 2, 3, 4, 7, 8, 9, 16, 63, 64, 65, 127, 128, 255, 256, 4095, 4096, 65528, 65535, 65536,
		0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 1ULL << 62, 1ULL << 63, ~0ULL, ~0ULL << 12,
	};
	unsigned int which = roll(2 * sizeof(numbers) / sizeof(numbers[0]));

	return which < sizeof(numbers) / sizeof(numbers[0]) ? numbers[which] : 1ULL << roll(64);
}
