// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that the compiler inlines, some levels deep, in C++: members, a
 * template, a lambda, a class within a function. Compiled in several ways by
 * test/symbol.sh, which asks for the frames of every address of it.
 */
#include <algorithm>
#include <cstdlib>
#include <vector>

static volatile unsigned long sink;

namespace deep {

template <typename T> static inline __attribute__((always_inline)) T square(T v)
{
	sink += (unsigned long)v;
	return v * v;
}

struct adder {
	unsigned long sum = 0;

	__attribute__((always_inline)) void add(unsigned long v)
	{
		sum += square(v);
		if (v % 3 == 0)
			sum += square((unsigned short)v);
	}
};

} // namespace deep

__attribute__((noinline)) static unsigned long work(const std::vector<unsigned long> &v)
{
	struct local {
		static __attribute__((always_inline)) unsigned long twice(unsigned long x) { return deep::square(x) * 2; }
	};
	deep::adder a;

	for (unsigned long x : v) {
		a.add(x);
		a.sum += local::twice(x);
	}
	return a.sum;
}

int main(int argc, char **argv)
{
	std::vector<unsigned long> v(argc > 1 ? strtoul(argv[1], nullptr, 0) : 100);
	unsigned long n = 0;

	std::generate(v.begin(), v.end(), [&n] { return n++ * 7919 % 1000; });
	std::sort(v.begin(), v.end(), [](unsigned long a, unsigned long b) { return a > b; });
	for (unsigned long i = 0; i < 20000000 / v.size(); i++)
		sink += work(v);
	return 0;
}
