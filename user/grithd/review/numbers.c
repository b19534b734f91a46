/* SPDX-License-Identifier: MPL-2.0 */
/*
 * reviews.json of the state directory: {"v":1,"reserved":N}. A number from the time is one for each
 * second since 2025: reviews that a person could answer come slower than that, so that it is above
 * all that were used before, and the largest number is reached in 2093.
 */
#include "lib/proto/proto.h"
#include "numbers.h"

#define FILE_NAME "reviews.json"
#define BLOCK 256
#define SECONDS_2025 UINT64_C(1735689600) /* from 1970 */

int review_numbers_open(struct review_numbers *numbers, const char *state_directory)
{
	return state_open(state_directory, NULL, &numbers->directory);
}

void review_numbers_close(struct review_numbers *numbers)
{
	cleanup_close(&numbers->directory);
	*numbers = REVIEW_NUMBERS_CLOSED;
}

static uint32_t number_from_time(void)
{
	uint64_t seconds = clock_real() / UINT64_C(1000000000);

	if (seconds <= SECONDS_2025)
		return 1;
	seconds -= SECONDS_2025;
	return seconds < PROTO_REVIEW_MAX ? (uint32_t)seconds : PROTO_REVIEW_MAX;
}

/* -ENOENT: there is no file. */
static int load(const struct review_numbers *numbers, uint32_t *ret_number)
{
	json_t *json = NULL;
	json_int_t number;
	int r = state_load_field(numbers->directory, FILE_NAME, "reserved", &json);

	if (r < 0 || !json)
		return r < 0 ? r : -ENOENT;
	number = json_integer_value(json);
	json_decref(json);
	if (number < 1 || number > (json_int_t)PROTO_REVIEW_MAX + BLOCK)
		return -EBADMSG;
	*ret_number = (uint32_t)number;
	return 0;
}

void review_numbers_begin(struct review_numbers *numbers, bool first_start)
{
	int r = load(numbers, &numbers->next);

	if (r == -ENOENT && first_start) {
		numbers->next = 1;
	} else if (r < 0) {
		numbers->next = number_from_time();
		log_line(LOG_WARNING,
			 "cannot read how far reviews were numbered (%s): they go on with %u",
			 strerror(-r), numbers->next);
	}
	numbers->reserved = numbers->next;
}

/* Without the disk the time alone says that a number was not used before. */
static void reserve(struct review_numbers *numbers)
{
	uint32_t end = numbers->next + BLOCK, by_time;
	int r = state_save_field(numbers->directory, FILE_NAME, "reserved", json_integer(end));

	if (r == 0) {
		numbers->reserved = end;
		numbers->failing = false;
		return;
	}
	if (!numbers->failing)
		log_line(LOG_ERR, "cannot write down how far reviews are numbered: %s",
			 strerror(-r));
	numbers->failing = true;
	by_time = number_from_time();
	if (numbers->next < by_time)
		numbers->next = by_time;
	numbers->reserved = numbers->next + 1;
}

uint32_t review_numbers_take(struct review_numbers *numbers)
{
	if (numbers->next > PROTO_REVIEW_MAX)
		return 0;
	if (numbers->next >= numbers->reserved)
		reserve(numbers);
	return numbers->next++;
}
