/* SPDX-License-Identifier: MPL-2.0 */
/*
 * The key that checkpoints of the audit log are signed with. The secret half stays in the state
 * directory, readable by root only; the public half may go anywhere, to verify a copy of the log.
 * Ed25519 (RFC 8032), from a seed of 32 random bytes.
 */
#pragma once

#include "chain.h"

#define AUDIT_KEY_FILE "audit.key" /* of the seed, in hexadecimal digits */
#define AUDIT_PUBLIC_FILE "audit.pub" /* of the public half */
#define AUDIT_KEY_BYTES 32
#define AUDIT_SIGNATURE_BYTES 64
#define AUDIT_KEY_ID 16 /* digits: the start of the public half's hash */

struct audit_key {
	char id[AUDIT_KEY_ID + 1];
	uint8_t public[AUDIT_KEY_BYTES];
	bool signs; /* the secret half is there */
	uint8_t secret[64];
	uint8_t mac[AUDIT_KEY_BYTES]; /* for what only the owner of the key has to believe */
};

/* Readies the library; before any other call of this file. 0 or -EIO. */
int audit_key_init(void);

/* From the files; `name` may be a path with AT_FDCWD. -EBADMSG: there is no key in it; -errno. */
int audit_key_read_public(int directory, const char *name, struct audit_key *ret_key);
int audit_key_read_secret(int directory, const char *name, struct audit_key *ret_key);

/*
 * The key of a state directory, made if there is none (`ret_made`), and its public half beside it.
 * 0 or -errno.
 */
int audit_key_open(int directory, struct audit_key *ret_key, bool *ret_made);

/* Forgets the secret half. */
void audit_key_wipe(struct audit_key *key);

void audit_key_sign(const struct audit_key *key, const char *text, size_t length,
		    uint8_t ret_signature[AUDIT_SIGNATURE_BYTES]);
bool audit_key_verify(const struct audit_key *key, const char *text, size_t length,
		      const uint8_t signature[AUDIT_SIGNATURE_BYTES]);

/* A keyed hash: it cannot be made without the secret half. */
void audit_key_mac(const struct audit_key *key, const char *text, size_t length,
		   struct audit_hash *ret_mac);
