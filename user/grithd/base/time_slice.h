/* SPDX-License-Identifier: MPL-2.0 */
/* When grithd has its turn on a processor. */
#pragma once

/*
 * Asks for a short time slice: with one grithd runs as soon as it is woken, and no more often.
 * Kernels before 6.12 accept that and do nothing. 0 or -errno.
 */
int time_slice_shorten(void);
