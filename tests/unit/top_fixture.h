/* SPDX-License-Identifier: MPL-2.0 */
/* A model of `grith top` with two sessions at work, for its tests. Failures end the test. */
#pragma once

#include "grith/top/model.h"
#include "grith/top/view.h"

#define TOP_TEST_NOW 1767323045000 /* 2026-01-02T03:04:05Z */

/* An event as a line of the log has it: time, ms before TOP_TEST_NOW, and what follows "mono". */
void top_test_event(struct top_model *model, int64_t before, const char *rest);

/* A read of a path in the session "abcdefghij" by node[4321]. */
void top_test_read(struct top_model *model, int64_t before, unsigned int sequence, const char *path,
		   const char *verdict);

/* Two sessions, processes, events of all kinds, losses, two holds. */
void top_test_fill(struct top_model *model);

/* The picture of so large a screen, as lines of text. The caller's. */
char *top_test_picture(struct top_model *model, unsigned int rows, unsigned int columns);

/* One key, with what the screen's size means for it. */
enum top_event top_test_key(struct top_model *model, int key, struct review_answer *ret_answer);
void top_test_type(struct top_model *model, const char *keys);
