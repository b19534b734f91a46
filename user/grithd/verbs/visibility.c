/* SPDX-License-Identifier: MPL-2.0 */
/* Root sees all sessions, other users their own: those that run, and those that have ended. */
#include "internal.h"

static bool is_owner(const struct verbs *verbs, const char *session, uint32_t uid)
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	const struct session *found = sessions_find_id(verbs->sessions, session);

	if (found)
		return found->info.uid == uid;
	return session_store_find_ended(&verbs->sessions->store, session, &info) == 0 &&
	       info.uid == uid;
}

bool sight_may_see(void *arg, const char *session)
{
	struct sight *sight = arg;
	unsigned int i;

	if (sight->uid == 0)
		return true;
	if (!session[0])
		return false;
	for (i = 0; i < SIGHTS; i++)
		if (!strcmp(sight->known[i].session, session))
			return sight->known[i].may;
	i = sight->next++ % SIGHTS;
	snprintf(sight->known[i].session, sizeof(sight->known[i].session), "%s", session);
	sight->known[i].may = is_owner(sight->verbs, session, sight->uid);
	return sight->known[i].may;
}

int sight_find(const struct sight *sight, const char *name, char ret_id[SESSION_ID_LENGTH + 1])
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	struct sessions *sessions = sight->verbs->sessions;
	struct session *session;
	int r = sessions_find(sessions, name, sight->uid, &session);

	if (r == 0)
		memcpy(ret_id, session->info.id, sizeof(session->info.id));
	if (r != -ENOENT)
		return r;
	r = session_store_find_ended(&sessions->store, name, &info);
	if (r == 0 && sight->uid && info.uid != sight->uid)
		return -ENOENT;
	if (r < 0)
		r = session_store_find_ended_name(&sessions->store, name, sight->uid, &info);
	if (r < 0)
		return -ENOENT;
	memcpy(ret_id, info.id, sizeof(info.id));
	return 0;
}
