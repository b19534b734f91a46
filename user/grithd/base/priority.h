/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Of two event sources that are ready, the lower number goes first: records before clients, so that
 * a client's reading never costs a record.
 */
#pragma once

/* In the order in which a record passes through. */
enum priority {
	PRIORITY_RECORDS = -20,
	PRIORITY_SESSIONS = -10,
	PRIORITY_CLIENTS = 0,
	PRIORITY_LOG = 10
};
