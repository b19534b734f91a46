/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The child: this program again, executed, so that nothing of grithd's memory is in it. It reads
 * its input, writes a result and ends; what goes wrong shows in its exit status only.
 */
#include "internal.h"

int compile_child(void)
{
	OWNED_TEXT struct text input = { 0 };
	OWNED_TEXT struct text result = { 0 };
	int r = compile_give_up_rights();

	r = r ?: read_to_end(COMPILE_IN, COMPILE_RESULT_MAX, &input);
	r = r < 0 ? r : compile_run(input.data, input.length, &result);
	r = r ?: write_all(COMPILE_OUT, result.data, result.length);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
