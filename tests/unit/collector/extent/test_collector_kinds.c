/*
 * Of each way in which a program can come to do something else: where that runs, the two builds are
 * never the same.
 */
#include "tests/unit/collector/extent/extent_fixture.h"
#include "tests/unit/collector/extent/kinds.h"

#include "collector/extent/executed.h"

#include "lib/base/banned.h"

static void write_kind(const char *side, const char *file, const char *source, const char *value)
{
	struct buf path = BUF_INIT, text = BUF_INIT;

	for (; *source; source++)
		if (*source == '@' && strncmp(source, "@function", 9) != 0)
			buf_adds(&text, value);
		else
			buf_addc(&text, *source);
	buf_addf(&path, "%s/%s", side, file);
	write_source(buf_str(&path), buf_str(&text));
	buf_release(&path);
	buf_release(&text);
}

static void build_kind(const char *side, const struct kind *k, const char *value)
{
	const char *end = strcmp(k->compiler, "cc") ? "cc" : "c";
	char name[20];

	assert_int_equal(shell("rm -rf %s && mkdir -p %s/made", side, side), 0);
	snprintf(name, sizeof(name), "main.%s", end);
	write_kind(side, name, k->source, value);
	snprintf(name, sizeof(name), "other.%s", end);
	if (strncmp(k->source, STD, strlen(STD)) == 0 &&
	    shell("[ -e std.h.gch ] || { printf '#include <%%s>\\n' stdexcept string vector >std.h "
		  "&& "
		  "%s %s -w -x c++-header std.h; }",
		  k->compiler, k->flags))
		fail_msg("%s: cannot read its headers", k->what);
	if (k->other)
		write_kind(side, name, k->other, value);
	if (shell("cd %s && %s %s -w -c *.%s && %s -fuse-ld=bfd -o made/reference "
		  "*.o %s -Wl,--emit-relocs -Wl,-Map=made/reference.map",
		  side, k->compiler, k->flags, end, k->compiler, k->words))
		fail_msg("%s: cannot build it", k->what);
}

static int run_base(void *ctx, bool again, struct record_request *rq, bool *hit, struct err *err)
{
	static char name[] = "reference", *argv[] = { name, NULL }, *env[] = { NULL };
	const struct child_spec spec = {
		.exe = ctx, .argv = argv, .env = env, .cpu = -1, .output_fd = -1
	};

	(void)again;
	rq->spec = &spec;
	return record_run(rq, hit, err);
}

static int no_files(void *ctx, struct strv *out, struct err *err)
{
	(void)ctx;
	(void)out;
	(void)err;
	return 0;
}

/* Why a difference of the kind is measured; "": nothing that runs differs. */
static void reason_of(const struct kind *k, struct buf *out)
{
	char exe[200];
	const struct executed_way way = { run_base, no_files, exe, NULL };
	struct parts base = PARTS_INIT, head = PARTS_INIT;
	struct difference d = DIFFERENCE_INIT;
	struct strv runs = STRV_INIT;
	struct executed known = EXECUTED_INIT;

	err_clear(&fault);
	buf_reset(out);
	snprintf(exe, sizeof(exe), "%s", in_workshop("base/made/reference"));
	build_kind("base", k, k->base);
	build_kind("head", k, k->head);
	if (read_side("base", &base, &fault) || read_side("head", &head, &fault))
		goto out;
	assert_int_equal(differ_make(&base, &head, &d, &fault), 0);
	known.runs = calloc(base.n + 1, sizeof(*known.runs));
	assert_non_null(known.runs);
	if (d.is_elsewhere)
		buf_adds(out, "something else differs");
	else if (!executed_find("nowhere/kept", &way, &base, &known, &fault)) {
		assert_int_equal(differ_executed(&d, known.runs, &runs, NULL), 0);
		buf_adds(out, joined(&runs));
	}
out:
	buf_adds(out, fault.text);
	free(known.runs);
	executed_release(&known);
	strv_release(&runs);
	release(&base, &head, &d);
}

static void needs_tracing(void)
{
	struct buf why = BUF_INIT;

	needs_compiler();
#if !defined(__x86_64__)
	print_message("# skipped: only programs of x86-64 are recorded\n");
	skip();
#endif
	if (shell("g++ --version >made-by 2>&1")) {
		print_message("# skipped: no g++\n");
		skip();
	}
	reason_of(&idle[0], &why);
	if (strstr(buf_str(&why), "may be traced")) {
		print_message("# skipped: ptrace is refused here\n");
		skip();
	}
	buf_release(&why);
}

/* One of each way to come to other code; the others are for the long run. */
static bool is_of_this_run(const char *what)
{
	static const char *const always[] = {
		"a slot of a vtable",
		"a template of two objects",
		"a table of functions",
		"a constant",
		"a text that is merged",
		"a table of jumps",
		"a weak function",
		"how a variable begins",
		"a constructor",
		"what is chosen at start",
		"what a library calls",
		"where one runs into the next",
		"an entry of a table that the link joins",
		"one more entry of that",
		"what the loader fills in at each start",
		"a function",
		"one that is far from what runs",
		"a method",
	};
	size_t i;

	if (getenv("PAWL_TEST_SLOW"))
		return true;
	for (i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (!strcmp(what, always[i]))
			return true;
	return false;
}

static void the_other_kinds_are_of_the_long_run(void **state)
{
	(void)state;
	if (!getenv("PAWL_TEST_SLOW")) {
		print_message("# skipped: takes many seconds: make check-slow\n");
		skip();
	}
}

static void what_runs_and_changed_is_never_the_same(void **state)
{
	struct buf why = BUF_INIT;
	size_t i, n = 0;

	(void)state;
	needs_tracing();
	for (i = 0; i < sizeof(executed) / sizeof(executed[0]); i++) {
		if (!is_of_this_run(executed[i].what))
			continue;
		reason_of(&executed[i], &why);
		if (!why.len)
			print_message("# %s: is taken to be the same\n", executed[i].what);
		n += !why.len;
	}
	assert_int_equal(n, 0);
	buf_release(&why);
}

static void what_does_not_run_may_change(void **state)
{
	struct buf why = BUF_INIT;
	size_t i, n = 0;

	(void)state;
	needs_tracing();
	for (i = 0; i < sizeof(idle) / sizeof(idle[0]); i++) {
		if (!is_of_this_run(idle[i].what))
			continue;
		reason_of(&idle[i], &why);
		if (why.len)
			print_message("# %s: %s\n", idle[i].what, buf_str(&why));
		n += why.len > 0;
	}
	assert_int_equal(n, 0);
	buf_release(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_runs_and_changed_is_never_the_same),
		cmocka_unit_test(what_does_not_run_may_change),
		cmocka_unit_test(the_other_kinds_are_of_the_long_run),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
