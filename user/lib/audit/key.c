/* SPDX-License-Identifier: MPL-2.0 */
/* libsodium does the work; this is where the halves of the key lie, and what they are used for. */
#include <sodium.h>

#include "key.h"

#define MAC_CONTEXT "grithmac"
#define MAC_SUBKEY 1

_Static_assert(AUDIT_KEY_BYTES == crypto_sign_SEEDBYTES, "a seed");
_Static_assert(AUDIT_KEY_BYTES == crypto_sign_PUBLICKEYBYTES, "a public half");
_Static_assert(AUDIT_KEY_BYTES == crypto_kdf_KEYBYTES, "a master key");
_Static_assert(AUDIT_KEY_BYTES == AUDIT_HASH_BYTES, "both are read as hexadecimal digits");
_Static_assert(AUDIT_SIGNATURE_BYTES == crypto_sign_BYTES, "a signature");
_Static_assert(sizeof(((struct audit_key *)0)->secret) == crypto_sign_SECRETKEYBYTES, "a secret");

int audit_key_init(void)
{
	return sodium_init() < 0 ? -EIO : 0;
}

static void set_id(struct audit_key *key)
{
	char hex[AUDIT_HEX_BYTES + 1];
	struct audit_hash hash;

	audit_hash_line((const char *)key->public, sizeof(key->public), &hash);
	audit_hash_format(&hash, hex);
	memcpy(key->id, hex, AUDIT_KEY_ID);
	key->id[AUDIT_KEY_ID] = '\0';
}

static void set_seed(struct audit_key *key, const uint8_t seed[AUDIT_KEY_BYTES])
{
	crypto_sign_seed_keypair(key->public, key->secret, seed);
	crypto_kdf_derive_from_key(key->mac, sizeof(key->mac), MAC_SUBKEY, MAC_CONTEXT, seed);
	key->signs = true;
	set_id(key);
}

/* A file of one line. */
static int read_line(int directory, const char *name, uint8_t ret_bytes[AUDIT_KEY_BYTES])
{
	OWNED_TEXT struct text text = { 0 };
	struct audit_hash bytes;
	int r = small_file_read(directory, name, AUDIT_HEX_BYTES + 1, &text);

	if (r == 0 && (text.length != AUDIT_HEX_BYTES + 1 || text.data[AUDIT_HEX_BYTES] != '\n' ||
		       !audit_hash_parse(text.data, &bytes)))
		r = -EBADMSG;
	if (r == 0)
		memcpy(ret_bytes, bytes.bytes, AUDIT_KEY_BYTES);
	sodium_memzero(&bytes, sizeof(bytes));
	if (text.data)
		sodium_memzero(text.data, text.size);
	return r == -EFBIG ? -EBADMSG : r;
}

static int write_line(int directory, const char *name, mode_t mode,
		      const uint8_t bytes[AUDIT_KEY_BYTES])
{
	char line[AUDIT_HEX_BYTES + 2];
	struct audit_hash hash;
	int r;

	memcpy(hash.bytes, bytes, AUDIT_KEY_BYTES);
	audit_hash_format(&hash, line);
	line[AUDIT_HEX_BYTES] = '\n';
	r = small_file_write(directory, name, mode, line, AUDIT_HEX_BYTES + 1);
	sodium_memzero(&hash, sizeof(hash));
	sodium_memzero(line, sizeof(line));
	return r;
}

int audit_key_read_public(int directory, const char *name, struct audit_key *ret_key)
{
	struct audit_key key = { 0 };
	int r = read_line(directory, name, key.public);

	if (r < 0)
		return r;
	set_id(&key);
	*ret_key = key;
	return 0;
}

int audit_key_read_secret(int directory, const char *name, struct audit_key *ret_key)
{
	uint8_t seed[AUDIT_KEY_BYTES];
	int r = read_line(directory, name, seed);

	if (r == 0) {
		*ret_key = (struct audit_key) { 0 };
		set_seed(ret_key, seed);
	}
	sodium_memzero(seed, sizeof(seed));
	return r;
}

static int make(int directory, struct audit_key *ret_key)
{
	uint8_t seed[AUDIT_KEY_BYTES];
	int r;

	randombytes_buf(seed, sizeof(seed));
	r = write_line(directory, AUDIT_KEY_FILE, 0600, seed);
	if (r == 0) {
		*ret_key = (struct audit_key) { 0 };
		set_seed(ret_key, seed);
	}
	sodium_memzero(seed, sizeof(seed));
	return r;
}

int audit_key_open(int directory, struct audit_key *ret_key, bool *ret_made)
{
	struct audit_key public;
	bool made = false;
	int r = audit_key_read_secret(directory, AUDIT_KEY_FILE, ret_key);

	if (r == -ENOENT) {
		r = make(directory, ret_key);
		made = true;
	}
	if (r < 0)
		return r;
	r = audit_key_read_public(directory, AUDIT_PUBLIC_FILE, &public);
	if (r < 0 || memcmp(public.public, ret_key->public, AUDIT_KEY_BYTES) != 0)
		r = write_line(directory, AUDIT_PUBLIC_FILE, 0644, ret_key->public);
	if (r < 0)
		return r;
	*ret_made = made;
	return 0;
}

void audit_key_wipe(struct audit_key *key)
{
	sodium_memzero(key, sizeof(*key));
}

void audit_key_sign(const struct audit_key *key, const char *text, size_t length,
		    uint8_t ret_signature[AUDIT_SIGNATURE_BYTES])
{
	crypto_sign_detached(ret_signature, NULL, (const unsigned char *)text, length, key->secret);
}

bool audit_key_verify(const struct audit_key *key, const char *text, size_t length,
		      const uint8_t signature[AUDIT_SIGNATURE_BYTES])
{
	return crypto_sign_verify_detached(signature, (const unsigned char *)text, length,
					   key->public) == 0;
}

void audit_key_mac(const struct audit_key *key, const char *text, size_t length,
		   struct audit_hash *ret_mac)
{
	crypto_generichash(ret_mac->bytes, sizeof(ret_mac->bytes), (const unsigned char *)text,
			   length, key->mac, sizeof(key->mac));
}
