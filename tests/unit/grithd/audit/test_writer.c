/* SPDX-License-Identifier: MPL-2.0 */
/* The audit room alone: the callback for a failed write, and the gap entry that follows it. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <criterion/criterion.h>

#include "grithd/audit/audit.h"
#include "grithd/base/base.h"

#define BEYOND_MEMORY 60000 /* lines: more than are kept while nothing can be written */

static char directory[] = "/tmp/grith-audit-XXXXXX";
static int state = -1;
static sd_event *event;
static struct audit audit;

/* What the callback was told. */
static struct {
	unsigned int writes, failures, growths;
} told;

static void on_written(void *arg, int r, bool grew)
{
	cr_assert_eq(arg, &told);
	told.writes++;
	told.failures += r < 0;
	told.growths += grew;
}

static const struct audit_ops ops = { .written = on_written };

static void set_up(void)
{
	struct audit_settings settings = { .size = 1u << 30 };
	struct audit_log *log;
	struct audit_found found;

	cr_assert_not_null(mkdtemp(directory));
	state = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	settings.directory = directory;
	settings.state = state;
	cr_assert_eq(audit_log_open(&settings, &log, &found), 0);
	cr_assert(found.key_made);
	cr_assert_geq(sd_event_new(&event), 0);
	audit = (struct audit) { .ops = &ops, .arg = &told };
	cr_assert_eq(audit_start(&audit, event, log), 0);
}

static void tear_down(void)
{
	static const char *const files[] = { AUDIT_FILE, AUDIT_HEAD_FILE, AUDIT_KEY_FILE,
					     AUDIT_PUBLIC_FILE };

	audit_free(&audit);
	sd_event_unref(event);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlinkat(state, files[i], 0);
	close(state);
	rmdir(directory);
}

TestSuite(writer, .init = set_up, .fini = tear_down, .timeout = 60);

static void add_line(void)
{
	const struct event_session line = {
		.head = event_now("s123456789"),
		.change = EVENT_KILL,
		.reason = "test",
	};

	audit_log_session(audit.log, &line);
}

static size_t size_of_log(void)
{
	struct stat st;

	cr_assert_eq(fstatat(state, AUDIT_FILE, &st, 0), 0);
	return (size_t)st.st_size;
}

static void limit_files(rlim_t size)
{
	const struct rlimit limit = { size, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(writer, a_write_tells_that_readers_find_something)
{
	audit_write(&audit);
	told.growths = 0;
	audit_write(&audit);
	cr_assert_eq(told.growths, 0);
	add_line();
	audit_write(&audit);
	cr_assert_eq(told.growths, 1);
	cr_assert_eq(told.failures, 0);
}

Test(writer, lines_wait_while_nothing_can_be_written)
{
	audit_write(&audit);
	limit_files(size_of_log());
	add_line();
	audit_write(&audit);
	cr_assert_eq(told.failures, 1);
	limit_files(RLIM_INFINITY);
	audit_write(&audit);
	cr_assert_eq(told.failures, 1);
	cr_assert_eq(audit_log_lost(audit.log), 0);
}

Test(writer, a_gap_entry_counts_what_did_not_fit_in_memory)
{
	OWNED_TEXT struct text text = { 0 };
	char lost[64];

	audit_write(&audit);
	limit_files(size_of_log());
	add_line();
	audit_write(&audit);
	cr_assert_eq(told.failures, 1);
	for (int i = 0; i < BEYOND_MEMORY; i++)
		add_line();
	cr_assert_gt(audit_log_lost(audit.log), 0);
	limit_files(RLIM_INFINITY);
	audit_write(&audit); /* what was kept */
	audit_write(&audit); /* the gap, behind it */
	snprintf(lost, sizeof(lost), "\"lost\":%llu,",
		 (unsigned long long)audit_log_lost(audit.log));
	cr_assert_eq(small_file_read(state, AUDIT_FILE, 64u << 20, &text), 0);
	cr_assert_not_null(strstr(text.data, lost));
	cr_assert_not_null(strstr(text.data, "could not be written to the log: File too large"));
}
