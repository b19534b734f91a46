/* SPDX-License-Identifier: MPL-2.0 */
/*
 * Two slots of one line each, written in turn: whatever stops the writing of one leaves the other.
 * The one with the higher number that is authentic counts.
 */
#include <fcntl.h>

#include "head.h"

#define SLOTS 2
#define SLOT_BYTES 256 /* with the blanks and the newline at its end */
#define TITLE "grith-audit-head 1 "

/* What the MAC is of; its length. */
static size_t format_last(const struct audit_chain *last, char ret_text[SLOT_BYTES])
{
	char hex[AUDIT_HEX_BYTES + 1];

	audit_hash_format(&last->hash, hex);
	return snprintf(ret_text, SLOT_BYTES, TITLE "%020llu %s", (unsigned long long)last->n, hex);
}

static void format_slot(const struct audit_key *key, const struct audit_chain *last,
			char ret_slot[SLOT_BYTES])
{
	char text[SLOT_BYTES], hex[AUDIT_HEX_BYTES + 1];
	size_t length = format_last(last, text);
	struct audit_hash mac;

	audit_key_mac(key, text, length, &mac);
	audit_hash_format(&mac, hex);
	memset(ret_slot, ' ', SLOT_BYTES);
	memcpy(ret_slot, text, length);
	memcpy(ret_slot + length + 1, hex, AUDIT_HEX_BYTES);
	ret_slot[SLOT_BYTES - 1] = '\n';
}

/* It is right if it is what would be written for the number and the hash in it. */
static bool parse_slot(const char *slot, const struct audit_key *key, struct audit_chain *ret_last)
{
	char digits[21], wanted[SLOT_BYTES];
	struct audit_chain last;

	memcpy(digits, slot + strlen(TITLE), 20);
	digits[20] = '\0';
	if (text_parse_u64(digits, UINT64_MAX, &last.n) < 0 ||
	    !audit_hash_parse(slot + strlen(TITLE) + 21, &last.hash))
		return false;
	format_slot(key, &last, wanted);
	if (memcmp(slot, wanted, SLOT_BYTES) != 0)
		return false;
	*ret_last = last;
	return true;
}

static int find_last(int directory, const struct audit_key *key, struct audit_chain *ret_last,
		     unsigned int *ret_slot)
{
	OWNED_TEXT struct text text = { 0 };
	struct audit_chain found;
	bool any = false;
	int r = small_file_read(directory, AUDIT_HEAD_FILE, SLOTS * SLOT_BYTES, &text);

	if (r < 0)
		return r == -EFBIG ? -EBADMSG : r;
	for (unsigned int i = 0; i < SLOTS && (i + 1) * SLOT_BYTES <= text.length; i++) {
		if (!parse_slot(text.data + (size_t)i * SLOT_BYTES, key, &found) ||
		    (any && found.n <= ret_last->n))
			continue;
		*ret_last = found;
		*ret_slot = i;
		any = true;
	}
	return any ? 0 : -EBADMSG;
}

int audit_head_read(int directory, const struct audit_key *key, struct audit_chain *ret_last)
{
	struct audit_chain last = { 0 };
	unsigned int slot;
	int r = find_last(directory, key, &last, &slot);

	if (r == 0)
		*ret_last = last;
	return r;
}

int audit_head_open(int directory, const struct audit_key *key, struct audit_head *head)
{
	struct audit_chain last = { 0 };
	unsigned int slot = SLOTS - 1;
	int fd =
		openat(directory, AUDIT_HEAD_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return -errno;
	find_last(directory, key, &last, &slot);
	*head = (struct audit_head) { .fd = fd, .slot = (slot + 1) % SLOTS };
	return 0;
}

int audit_head_write(struct audit_head *head, const struct audit_key *key,
		     const struct audit_chain *last)
{
	char slot[SLOT_BYTES];
	ssize_t n;

	format_slot(key, last, slot);
	do
		n = pwrite(head->fd, slot, SLOT_BYTES, (off_t)head->slot * SLOT_BYTES);
	while (n < 0 && errno == EINTR);
	if (n != SLOT_BYTES)
		return n < 0 ? -errno : -EIO;
	head->slot = (head->slot + 1) % SLOTS;
	return 0;
}

void audit_head_close(struct audit_head *head)
{
	cleanup_close(&head->fd);
	*head = AUDIT_HEAD_CLOSED;
}
