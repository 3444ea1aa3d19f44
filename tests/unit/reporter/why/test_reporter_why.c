/* Unit tests of reporter/why: exact texts from hand-written profiles. */
#include "tests/unit/profile_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/record/summary.h"
#include "reporter/why/why.h"

#include "lib/base/banned.h"

static struct profile base, head;
static struct buf out;

static struct why_report report(const char *before, const char *now)
{
	parse(before, &base);
	parse(now, &head);
	return (struct why_report){ .benchmark = "deflate/6",
				    .base = { "0123456789abcdef", NULL, &base },
				    .head = { "fedcba9876543210", NULL, &head } };
}

static void render_as(const char *format, const struct why_report *why)
{
	struct err err = ERR_INIT;

	buf_reset(&out);
	if (why_render(format, why, NULL, &out, &err))
		fail_msg("%s", err.text);
}

static int release(void **state)
{
	(void)state;
	profile_release(&base);
	profile_release(&head);
	buf_release(&out);
	return 0;
}

static void has(const char *part)
{
	if (!strstr(buf_str(&out), part))
		fail_msg("without '%s': %s", part, buf_str(&out));
}

static void has_not(const char *part)
{
	if (strstr(buf_str(&out), part))
		fail_msg("with '%s': %s", part, buf_str(&out));
}

/* 1000 before, 1023 now: 2.3 % more, of which 22 of 23, 96 %, in one function. */
static const char before[] = "events: Ir\nob=z\nfl=d.c\nfn=fast\n10 600\n11 100\nfn=slow\n"
			     "20 297\nfn=old\n30 3\n";
static const char now[] = "events: Ir\nob=z\nfl=d.c\nfn=fast\n10 622\n11 100\nfn=slow\n"
			  "20 297\nfn=young\n30 4\n";

static void the_table_and_the_sentence_name_what_adds(void **state)
{
	struct why_report why = report(before, now);

	(void)state;
	render_as("text", &why);
	assert_string_equal(
		buf_str(&out),
		"deflate/6: 0123456..fedcba9\n"
		"instructions of the whole run: 1.00 k before, 1.02 k now (+2.30 %), counted by "
		"valgrind\n"
		"\n"
		"delta  share  base  head  function  file\n"
		"  +22   96 %   700   722  fast      d.c\n"
		"   +4   17 %   new     4  young     d.c\n"
		"   -3  -13 %     3  gone  old       d.c\n"
		"\n"
		"fast, by line:\n"
		"        +22  d.c:10  \n"
		"\n"
		"young, by line:\n"
		"         +4  d.c:30  \n"
		"\n"
		"old, by line:\n"
		"         -3  d.c:30  \n"
		"\n"
		"fast adds 96 % of the 2.3 % more instructions\n");
}

static void backwards_it_saves(void **state)
{
	struct why_report why = report(now, before);

	(void)state;
	render_as("text", &why);
	has("\nfast saves 96 % of the 2.2 % fewer instructions\n");
	has("(-2.25 %)");
}

static void the_same_work_points_elsewhere(void **state)
{
	struct why_report why = report("events: Ir\nfn=f\n1 500000\nfn=g\n1 500000\n",
				       "events: Ir\nfn=f\n1 500040\nfn=g\n1 500000\n");

	(void)state;
	render_as("text", &why);
	has("(the same to 0.01 %)");
	has("\nthe work is the same to 0.01 %: look at layout, caches, memory (pawl calibrate "
	    "finds what layout alone can make)\n");
	has_not("adds");
	render_as("json", &why);
	has("\"functions\": []");
}

static void what_cancels_out_is_shown_all_the_same(void **state)
{
	struct why_report why = report("events: Ir\nfn=f\n1 500\nfn=g\n1 500\n",
				       "events: Ir\nfn=f\n1 600\nfn=g\n1 400\n");

	(void)state;
	render_as("text", &why);
	has("+100      -");
	has("cancels out");
}

static void identical_code_needs_no_profile(void **state)
{
	const struct why_report why = { .benchmark = "b",
					.identical = true,
					.base = { "0123456789", NULL, NULL },
					.head = { "fedcba9876", NULL, NULL } };

	(void)state;
	render_as("text", &why);
	has("the same machine code");
	render_as("json", &why);
	has("\"identical\": true");
	has("\"base_instructions\": null");
	render_as("html", &why);
	has("the same machine code");
}

static void names_from_the_program_are_harmless_everywhere(void **state)
{
	struct why_report why =
		report("events: Ir\nfl=a.c\nfn=f\n1 10\n",
		       "events: Ir\nfl=</td><script>.c\nfn=<script>alert(1)\x1b[31m&\"'\n1 30\n");
	static const char *const formats[] = { "text", "json", "html", "svg" };
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		render_as(formats[i], &why);
		has_not("\x1b");
		if (i >= 2) {
			has_not("<script");
			has("&lt;script&gt;alert(1)");
		}
	}
}

static void hints_say_what_the_build_lacks(void **state)
{
	struct why_report why = report("events: Ir\nfn=f\n0 10\n", "events: Ir\nfn=f\n0 30\n");

	(void)state;
	render_as("text", &why);
	has("build with -g for lines");
	release(state);
	why = report("events: Ir\nfn=0x0000000000001130\n0 10\n",
		     "events: Ir\nfn=0x0000000000001140\n0 30\n");
	render_as("text", &why);
	has("the program is stripped");
	release(state);
	why = report(before, now);
	render_as("text", &why);
	has_not("build with");
}

static void counters_that_moved_come_first(void **state)
{
	struct why_report why = report(before, now);
	struct summary s;
	struct bench *b;
	struct metric *m;
	size_t i;

	(void)state;
	summary_init(&s);
	b = summary_add_bench(&s, "deflate/6", NULL);
	assert_non_null(b);
	for (i = 0; i < 2; i++) {
		m = bench_add_metric(b, i ? "cycles" : "cache-misses", "1", BETTER_LOWER, NULL);
		assert_non_null(m);
		m->has_delta = true;
		m->delta = (struct delta){
			.ratio = 1.25, .low = i ? 0.9 : 1.2, .high = 1.3, .verdict = VERDICT_NONE
		};
	}
	why.counters = b;
	render_as("text", &why);
	has("cache-misses  +25.0 %");
	has_not("cycles");
	assert_true(strstr(buf_str(&out), "cache-misses") < strstr(buf_str(&out), "fast"));
	summary_release(&s);
}

/* Its interval leaves 0 and is inside the threshold: the verdict says so, and it did not move. */
static void a_counter_without_a_ratio_is_told_by_its_difference(void **state)
{
	struct why_report why = report(before, now);
	struct summary s;
	struct metric *m;
	struct bench *b;

	(void)state;
	summary_init(&s);
	b = summary_add_bench(&s, "deflate/6", NULL);
	assert_non_null(b);
	m = bench_add_metric(b, "allocated", "bytes", BETTER_LOWER, NULL);
	assert_non_null(m);
	m->has_delta = true;
	m->delta = (struct delta){ .ratio = (double)NAN,
				   .low = (double)NAN,
				   .high = (double)NAN,
				   .by_difference = true,
				   .difference = 4096,
				   .difference_low = 2048,
				   .difference_high = 6144,
				   .verdict = VERDICT_NONE };
	why.counters = b;
	render_as("text", &why);
	has("allocated  +4 KiB  [+2, +6] KiB\n");
	render_as("html", &why);
	has("[+2, +6] KiB");
	render_as("json", &why);
	has("\"unit\": \"bytes\"");
	has("\"difference\": 4096,");
	has("\"difference_low\": 2048,");
	has("\"difference_high\": 6144");
	m->delta.verdict = VERDICT_UNCHANGED;
	render_as("text", &why);
	has("no counter of the stored comparison moved\n");
	summary_release(&s);
}

static void sources_are_read_inside_the_tree_alone(void **state)
{
	char top[] = "/tmp/pawl-why.XXXXXX", path[64], secret[64];
	struct why_report why = report("events: Ir\nfl=a.c\nfn=f\n2 10\nfi=../secret\n1 5\n"
				       "fi=link\n1 7\n",
				       "events: Ir\nfl=a.c\nfn=f\n2 30\nfi=../secret\n1 9\n"
				       "fi=link\n1 30\n");

	(void)state;
	assert_non_null(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/tree", top);
	snprintf(secret, sizeof(secret), "%s/secret", top);
	assert_int_equal(0, file_make_dirs(path, 0700, NULL));
	assert_int_equal(0, file_write_whole(secret, "hidden\n", 7, 0600, NULL));
	snprintf(path, sizeof(path), "%s/tree/link", top);
	assert_int_equal(0, symlink(secret, path));
	snprintf(path, sizeof(path), "%s/tree/a.c", top);
	assert_int_equal(0, file_write_whole(path, "one\n\tx = y; \n", 13, 0600, NULL));
	snprintf(path, sizeof(path), "%s/tree", top);
	why.base.top = why.head.top = path;
	render_as("text", &why);
	has("a.c:2  x = y;\n");
	has_not("hidden");
	assert_int_equal(0, file_remove_tree(top, NULL));
}

static void lines_without_a_source_are_left_out(void **state)
{
	char top[] = "/tmp/pawl-why.XXXXXX", path[64];
	struct why_report why = report("events: Ir\nfl=sysdeps/strcmp.S\nfn=strcmp\n304 10\n",
				       "events: Ir\nfl=sysdeps/strcmp.S\nfn=strcmp\n304 90\n");

	(void)state;
	assert_non_null(mkdtemp(top));
	why.base.top = why.head.top = top;
	render_as("text", &why);
	has("strcmp ");
	has_not("strcmp.S:304");
	has_not("by line");
	has("build with -g for lines");
	release(state);
	why = report("events: Ir\nfl=sysdeps/strcmp.S\nfn=strcmp\n304 10\nfl=a.c\nfn=f\n1 5\n",
		     "events: Ir\nfl=sysdeps/strcmp.S\nfn=strcmp\n304 90\nfl=a.c\nfn=f\n1 5\n");
	why.base.top = why.head.top = top;
	snprintf(path, sizeof(path), "%s/a.c", top);
	assert_int_equal(0, file_write_whole(path, "x;\n", 3, 0600, NULL));
	render_as("text", &why);
	has_not("strcmp.S:304");
	has_not("build with -g");
	assert_int_equal(0, file_remove_tree(top, NULL));
}

static void one_of_a_kind_is_counted_in_the_singular(void **state)
{
	static const char line[] = "%u 99\n";
	struct buf many = BUF_INIT;
	struct why_report why;
	unsigned i;

	(void)state;
	buf_adds(&many, "events: Ir\nfl=a.c\nfn=f\n");
	for (i = 1; i <= 9; i++) /* one more than is shown */
		buf_addf(&many, line, i);
	why = report("events: Ir\nfl=a.c\nfn=f\n20 1\n", buf_str(&many));
	render_as("text", &why);
	buf_release(&many);
	has("  and 2 lines that moved less\n"); /* the ninth, and line 20 */
	release(NULL);
	buf_adds(&many, "events: Ir\nfl=a.c\nfn=f\n");
	for (i = 1; i <= 8; i++)
		buf_addf(&many, line, i);
	why = report("events: Ir\nfl=a.c\nfn=f\n20 1\n", buf_str(&many));
	render_as("text", &why);
	buf_release(&many);
	has("  and 1 line that moved less\n");
}

static void a_figure_ends_inside_the_picture(void **state)
{
	struct why_report why = report(before, now);
	double x = 0;
	const char *at;

	(void)state;
	render_as("svg", &why);
	has("width=\"790\"");
	at = strstr(buf_str(&out), ">+22 (96 %)<");
	assert_non_null(at);
	while (at > buf_str(&out) && strncmp(at, "<text x=\"", 9))
		at--;
	x = strtod(at + 9, NULL);
	assert_true(x + 24 * 6.6 < 790); /* columns of a figure at most, about 6.6 a digit */
}

static void an_unknown_format_is_refused(void **state)
{
	struct why_report why = report(before, now);
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(-1, why_render("csv", &why, NULL, &out, &err));
	assert_int_equal(err.code, ERR_USAGE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, release)
	const struct CMUnitTest tests[] = {
		TEST(the_table_and_the_sentence_name_what_adds),
		TEST(backwards_it_saves),
		TEST(the_same_work_points_elsewhere),
		TEST(what_cancels_out_is_shown_all_the_same),
		TEST(identical_code_needs_no_profile),
		TEST(names_from_the_program_are_harmless_everywhere),
		TEST(hints_say_what_the_build_lacks),
		TEST(counters_that_moved_come_first),
		TEST(a_counter_without_a_ratio_is_told_by_its_difference),
		TEST(sources_are_read_inside_the_tree_alone),
		TEST(lines_without_a_source_are_left_out),
		TEST(one_of_a_kind_is_counted_in_the_singular),
		TEST(a_figure_ends_inside_the_picture),
		TEST(an_unknown_format_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
