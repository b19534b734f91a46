/* SPDX-License-Identifier: MPL-2.0 */
/*
 * What each request of the protocol does, and who may ask for it.
 */
#ifndef GRITHD_VERBS_H
#define GRITHD_VERBS_H

#include "client.h"

/* Answers a request, now or later. Takes the request over. */
void verb_run(struct client *client, struct proto_request *request);

json_t *verb_status(struct daemon *daemon);
json_t *verb_list(struct daemon *daemon, const struct peer *peer);

/* Starts the reading of the log; the reply to say so, or an error. */
json_t *verb_log(struct client *client, struct proto_request *request);

#endif
