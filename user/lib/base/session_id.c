/* SPDX-License-Identifier: MPL-2.0 */
/* No l, o, 0, 1: 32 characters that are not mistaken for each other. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>

#include "session_id.h"

static const char alphabet[] = "abcdefghijkmnpqrstuvwxyz23456789";
_Static_assert(sizeof(alphabet) == 32 + 1, "five bits each");
#define LETTERS 16 /* of which the first one is: a power of two, so that none is likelier */

int session_id_make(char ret_id[SESSION_ID_LENGTH + 1])
{
	uint8_t random[SESSION_ID_LENGTH];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -EIO;
	ret_id[0] = alphabet[random[0] % LETTERS];
	for (int i = 1; i < SESSION_ID_LENGTH; i++)
		ret_id[i] = alphabet[random[i] % 32];
	ret_id[SESSION_ID_LENGTH] = '\0';
	return 0;
}

bool session_id_valid(const char *id)
{
	return strlen(id) == SESSION_ID_LENGTH && strspn(id, alphabet) == SESSION_ID_LENGTH &&
	       strchr(alphabet, id[0]) < alphabet + LETTERS;
}
