/* SPDX-License-Identifier: MPL-2.0 */
/* Every number has one word, and every word is read back as its number. */

#include <criterion/criterion.h>

#include "lib/base/base.h"

Test(names, there_and_back)
{
	for (unsigned int i = 1; i < GRITH_OPS; i++) {
		enum grith_op op;

		cr_assert_not_null(op_name(i), "%u", i);
		cr_assert_eq(op_parse(op_name(i), &op), 0);
		cr_assert_eq(op, i);
	}
	for (unsigned int i = 0; i < GRITH_VERDICTS; i++) {
		enum grith_verdict verdict;

		cr_assert_eq(verdict_parse(verdict_name(i), &verdict), 0);
		cr_assert_eq(verdict, i);
	}
	for (unsigned int i = 0; i < COUNTERS; i++) {
		cr_assert_eq(counter_find(counter_of(i)->name), counter_of(i));
		cr_assert(counter_of(i)->meaning[0]);
	}
}

Test(names, strangers)
{
	enum grith_op op;
	enum grith_mode mode;

	cr_assert_null(op_name(GRITH_OPS));
	cr_assert_null(verdict_name(GRITH_VERDICTS));
	cr_assert_null(mode_name(2));
	cr_assert_null(family_name(46));
	cr_assert_null(errno_name(0));
	cr_assert_null(errno_name(-1));
	cr_assert_null(errno_name(100000));
	cr_assert_str_eq(errno_name(EACCES), "EACCES");
	cr_assert_str_eq(family_name(10), "inet6");
	cr_assert_str_eq(socket_type_name(2), "dgram");
	cr_assert_eq(op_parse("Read", &op), -EINVAL);
	cr_assert_eq(op_parse("none", &op), -EINVAL);
	cr_assert_eq(mode_parse("", &mode), -EINVAL);
	cr_assert_null(counter_find("lost"));
	cr_assert_eq(op_info(GRITH_OPS), op_info(GRITH_OP_NONE));
}

Test(names, every_flag_but_one)
{
	for (unsigned int bit = 1; bit <= GRITH_RECORD_UNIX; bit <<= 1)
		cr_assert_eq(record_flag_name(bit) != NULL, bit != GRITH_RECORD_MORE, "%#x", bit);
}
