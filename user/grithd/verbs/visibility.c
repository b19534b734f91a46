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

bool visibility_allows(void *arg, const char *session)
{
	struct visibility *visibility = arg;
	unsigned int i;

	if (visibility->uid == 0)
		return true;
	if (!session[0])
		return false;
	for (i = 0; i < VISIBILITY_KNOWN; i++)
		if (!strcmp(visibility->known[i].session, session))
			return visibility->known[i].may;
	i = visibility->next++ % VISIBILITY_KNOWN;
	snprintf(visibility->known[i].session, sizeof(visibility->known[i].session), "%s", session);
	visibility->known[i].may = is_owner(visibility->verbs, session, visibility->uid);
	return visibility->known[i].may;
}

int visibility_find(const struct visibility *visibility, const char *name,
		    char ret_id[SESSION_ID_LENGTH + 1])
{
	OWNED_SESSION_INFO struct session_info info = { 0 };
	struct sessions *sessions = visibility->verbs->sessions;
	struct session *session;
	int r = sessions_find(sessions, name, visibility->uid, &session);

	if (r == 0)
		memcpy(ret_id, session->info.id, sizeof(session->info.id));
	if (r != -ENOENT)
		return r;
	r = session_store_find_ended(&sessions->store, name, &info);
	if (r == 0 && visibility->uid && info.uid != visibility->uid)
		return -ENOENT;
	if (r < 0)
		r = session_store_find_ended_name(&sessions->store, name, visibility->uid, &info);
	if (r < 0)
		return -ENOENT;
	memcpy(ret_id, info.id, sizeof(info.id));
	return 0;
}
