/* SPDX-License-Identifier: MPL-2.0 */
/* The start of grithd: what is asked for, and who does it. */
#include "grithd/base/base.h"
#include "grithd/compile/compile.h"
#include "check.h"
#include "daemon.h"
#include "installed.h"

int main(int argc, char **argv)
{
	OWNED_DIAG struct diag diag = { 0 };
	OWNED_OPTIONS struct options options = { 0 };
	int r;

	/* Not an option: grithd says it to itself. Nothing of grithd's own end belongs there. */
	if (argc == 2 && strcmp(argv[1], COMPILE_ARGUMENT) == 0)
		_exit(compile_child());
	r = options_read(argc, argv, &options, &diag);

	if (r < 0) {
		if (!diag.count)
			diag_add(&diag, NULL, 0, 0, "%s", strerror(-r));
		log_diag(LOG_ERR, &diag);
		return EXIT_CANNOT_ENFORCE;
	}
	switch (options.action) {
	case ACTION_HELP:
		options_print_help();
		return EXIT_SUCCESS;
	case ACTION_VERSION:
		puts("grithd " GRITH_VERSION);
		return EXIT_SUCCESS;
	case ACTION_CHECK:
		return check_run(&options);
	case ACTION_UNLOAD:
		return unload_run(&options);
	default:
		return daemon_run(&options);
	}
}
