/* The linker's script with the sections of single objects in front, in random order. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include "collector/layout/script.h"

#include "lib/base/banned.h"

#define PLAIN \
	"SECTIONS\n{\n  .text :\n  {\n    *(.text.hot .text.hot.*)\n    *(.text .text.*)\n  }\n" \
	"  .data : { *(.data .data.*) }\n}\n"
#define HOT "*(.text.hot .text.hot.*)"
#define TEXT "*(.text .text.*)"
#define DATA "*(.data .data.*)"

static struct err fault;

/* The script of these units for a seed; free() it. */
static char *make(struct map_unit *units, size_t n, const char *script, uint64_t seed,
		  size_t *moved)
{
	struct map map = { .v = units, .n = n };
	struct strv words = STRV_INIT;
	size_t i;
	struct script_request rq = { .script = script, .map = &map, .top = "/tree", .seed = seed };
	struct buf out = BUF_INIT;

	for (i = 0; i < n; i++)
		if (!strchr(units[i].file, '!'))
			assert_int_equal(strv_add(&words, units[i].file, NULL), 0);
	rq.words = &words;
	assert_int_equal(script_make(&rq, &out, moved, &fault), 0);
	strv_release(&words);
	return buf_detach(&out);
}

/* How often the text is in it. */
static size_t count(const char *script, const char *text)
{
	size_t n = 0;

	for (; (script = strstr(script, text)); script++)
		n++;
	return n;
}

static struct map_unit unit(const char *statement, const char *name, const char *file)
{
	return (struct map_unit){
		.output = name, .statement = statement, .name = name, .file = file, .size = 16
	};
}

static void each_section_of_the_project_stands_before_its_statement_once(void **state)
{
	static const char hot[] = HOT, text[] = TEXT, data[] = DATA;
	struct map_unit units[] = { unit(hot, ".text.hot.x", "a.o"), unit(text, ".text", "a.o"),
				    unit(text, ".text", "b.o"), unit(text, ".text.y", "/tree/c.o"),
				    unit(data, ".data", "b.o") };
	size_t moved;
	char *s = make(units, 5, PLAIN, 3, &moved), *at;

	(void)state;
	assert_int_equal(moved, 5);
	assert_int_equal(count(s, "\"a.o\"(\".text.hot.x\")"), 1);
	assert_true(strstr(s, "\"a.o\"(\".text.hot.x\")") < strstr(s, HOT));
	assert_int_equal(count(s, "\"b.o\"(\".text\")"), 1);
	at = strstr(s, "\"/tree/c.o\"(\".text.y\")");
	assert_true(at && strstr(s, HOT) < at && at < strstr(s, TEXT));
	assert_true(strstr(s, TEXT) < strstr(s, "\"b.o\"(\".data\")"));
	assert_true(strstr(s, "\"b.o\"(\".data\")") < strstr(s, DATA));
	assert_string_equal(strstr(s, DATA), strstr(PLAIN, DATA)); /* the rest as it was */
	free(s);
}

static void a_seed_is_an_order(void **state)
{
	static const char text[] = TEXT;
	struct map_unit units[] = { unit(text, ".text", "a.o"), unit(text, ".text", "b.o"),
				    unit(text, ".text", "c.o"), unit(text, ".text", "d.o") };
	size_t moved, seed, n_different = 0;
	char *first = make(units, 4, PLAIN, 1, &moved);

	(void)state;
	for (seed = 1; seed <= 20; seed++) {
		char *again = make(units, 4, PLAIN, seed, &moved),
		     *twice = make(units, 4, PLAIN, seed, &moved);

		assert_string_equal(again, twice);
		n_different += strcmp(first, again) != 0;
		free(again);
		free(twice);
	}
	assert_int_equal(n_different, 19); /* 24 orders, and gaps besides */
	free(first);
}

/* Where a unit stands, and the gap before it, as far as the others have both. */
static void copy_without(const char *script, const char *word, char *out, size_t size)
{
	const char *at = strstr(script, word), *start = at, *gap, *end;

	assert_non_null(at);
	while (start[-1] != '\n')
		start--;
	/* Its gap stands on the line before. */
	for (gap = start - 1; gap[-1] != '\n'; gap--)
		;
	if (!strncmp(gap, "    . = . + ", 12))
		start = gap;
	end = strchr(at, '\n') + 1;
	snprintf(out, size, "%.*s%s", (int)(start - script), script, end);
}

/* Both sides of a pair have in like places what they have in common. */
static void another_unit_leaves_the_order_of_the_others(void **state)
{
	static const char text[] = TEXT;
	struct map_unit units[] = { unit(text, ".text", "a.o"), unit(text, ".text", "b.o"),
				    unit(text, ".text", "c.o"), unit(text, ".text", "new.o"),
				    unit(text, ".text", "d.o") },
			few[] = { units[0], units[1], units[2], units[4] };
	size_t moved, seed, n_inside = 0;
	char rest[2048];

	(void)state;
	for (seed = 1; seed <= 20; seed++) {
		char *more = make(units, 5, PLAIN, seed, &moved),
		     *less = make(few, 4, PLAIN, seed, &moved);

		copy_without(more, "\"new.o\"", rest, sizeof(rest));
		assert_string_equal(rest, less);
		n_inside += strstr(more, "\"new.o\"") < strstr(more, "\"a.o\"");
		free(more);
		free(less);
	}
	assert_in_range(n_inside, 1, 19);
}

/* The objects that the compiler deletes have other names each time; the script differs by these
 * alone. */
static void the_name_of_a_passing_object_is_nothing_to_draw_by(void **state)
{
	static const char text[] = TEXT;
	struct map_unit one[] = { unit(text, ".text", "/tree/links/1-2.d/0-ccA.o"),
				  unit(text, ".text", "/tree/links/1-2.d/1-ccB.o"),
				  unit(text, ".text", "/tree/links/1-2.d/2-ccC.o") },
			other[] = { unit(text, ".text", "/tree/links/8-9.d/0-ccZ.o"),
				    unit(text, ".text", "/tree/links/8-9.d/1-ccY.o"),
				    unit(text, ".text", "/tree/links/8-9.d/2-ccX.o") };
	size_t moved, seed, i;

	(void)state;
	for (seed = 1; seed <= 20; seed++) {
		char *x = make(one, 3, PLAIN, seed, &moved),
		     *y = make(other, 3, PLAIN, seed, &moved), *at;

		for (i = 0; i < 3; i++) {
			at = strstr(x, one[i].file);
			assert_non_null(at);
			memcpy(at, other[i].file, strlen(one[i].file));
		}
		assert_string_equal(x, y);
		free(x);
		free(y);
	}
}

static void the_folder_of_a_side_is_nothing_to_draw_by(void **state)
{
	static const char text[] = TEXT;
	struct map_unit inside[] = { unit(text, ".text", "/tree/a.o"),
				     unit(text, ".text", "/tree/b.o"),
				     unit(text, ".text", "/tree/c.o") },
			beside[] = { unit(text, ".text", "a.o"), unit(text, ".text", "b.o"),
				     unit(text, ".text", "c.o") };
	size_t moved, seed;

	(void)state;
	for (seed = 1; seed <= 20; seed++) {
		char *x = make(inside, 3, PLAIN, seed, &moved),
		     *y = make(beside, 3, PLAIN, seed, &moved);
		bool same_x = strstr(x, "a.o") < strstr(x, "b.o"),
		     same_y = strstr(y, "a.o") < strstr(y, "b.o");

		assert_int_equal(same_x, same_y);
		free(x);
		free(y);
	}
}

static void the_systems_objects_stay_where_they_were(void **state)
{
	static const char data[] = DATA;
	struct map_unit units[] = { unit(data, ".data", "/usr/lib/crt1.o"),
				    unit(data, ".data", "/usr/lib/crti.o"),
				    unit(data, ".data", "a.o"), unit(data, ".data", "/usr/lib/x.a"),
				    unit(data, ".data", "b.o") };
	const char *start, *second, *own;
	size_t moved;
	char *s = make(units, 5, PLAIN, 7, &moved);

	(void)state;
	assert_int_equal(moved, 2);
	start = strstr(s, "\"/usr/lib/crt1.o\"(\".data\")");
	second = strstr(s, "\"/usr/lib/crti.o\"(\".data\")");
	own = strstr(s, "\"a.o\"(\".data\")");
	assert_true(start && start < second && second < own && second < strstr(s, "\"b.o\""));
	assert_int_equal(count(s, "x.a"), 0); /* taken by the statement, as ever */
	free(s);
}

static void names_that_mean_more_than_themselves_are_not_used(void **state)
{
	static const char text[] = TEXT;
	struct map_unit units[] = {
		unit(text, ".text", "a*.o"),	    unit(text, ".text", "a[1].o"),
		unit(text, ".text", "a b.o"),	    unit(text, ".text", "a:b.o"),
		unit(text, ".text", "a\".o"),	    unit(text, ".text*", "a.o"),
		unit(text, ".rodata.str1.1", "a.o")
	};
	size_t moved;
	char *s = make(units, sizeof(units) / sizeof(units[0]), PLAIN, 1, &moved);

	(void)state;
	assert_int_equal(moved, 0);
	assert_int_equal(count(s, ".o"), 0);
	free(s);
}

static void a_name_that_no_word_has_is_never_a_plain_one(void **state)
{
	static const char text[] = TEXT;
	struct map_unit units[] = { unit(text, ".text", "thin!.o") };
	size_t moved;
	char *s = make(units, 1, PLAIN, 1, &moved);

	(void)state;
	assert_int_equal(moved, 1);
	assert_int_equal(count(s, "\"thin!.[o]\"(\".text\") \"*:thin!.o\"(\".text\")"), 1);
	free(s);
}

static void objects_that_are_gone_are_named_by_what_stays_of_their_names(void **state)
{
	static const char text[] = TEXT;
	struct map_unit units[] = { unit(text, ".text", "/tmp/ccA1b2C3.ltrans0.ltrans.o"),
				    unit(text, ".text", "/tmp/ccA1b2C3.ltrans1.ltrans.o"),
				    unit(text, ".text", "/tmp/lto-llvm-1a2b3c.o"),
				    unit(text, ".text", "/tmp/ccZZZZZZ.o") };
	size_t moved;
	char *s = make(units, 4, PLAIN, 1, &moved);

	(void)state;
	assert_int_equal(moved, 3);
	assert_int_equal(count(s, "\"*.ltrans0.ltrans.o\"(\".text\")"), 1);
	assert_int_equal(count(s, "\"*.ltrans1.ltrans.o\"(\".text\")"), 1);
	assert_int_equal(count(s, "\"*lto-llvm-*.o\"(\".text\")"), 1);
	assert_int_equal(count(s, "ccZZ"), 0);
	free(s);
}

static void a_statement_that_is_not_there_once_moves_nothing(void **state)
{
	static const char text[] = TEXT, other[] = "*(.text.other)";
	struct map_unit units[] = { unit(other, ".text", "a.o"), unit(text, ".text", "b.o") };
	size_t moved;
	char *s = make(units, 2, PLAIN PLAIN, 1, &moved);

	(void)state;
	assert_int_equal(moved, 0);
	assert_string_equal(s, PLAIN PLAIN);
	free(s);
}

static void gaps_are_small_and_rare_in_large_programs(void **state)
{
	enum { N = 4096 };
	static const char text[] = TEXT;
	static struct map_unit units[N];
	static char names[N][16];
	unsigned long sum = 0, gap;
	size_t moved, i, n = 0;
	char *s;
	const char *at;

	(void)state;
	for (i = 0; i < N; i++) {
		snprintf(names[i], sizeof(names[i]), ".text.f%zu", i);
		units[i] = unit(text, names[i], "a.o");
	}
	s = make(units, N, PLAIN, 5, &moved);
	for (at = s; (at = strstr(at, ". = . + ")); n++) {
		at += strlen(". = . + ");
		gap = strtoul(at, NULL, 10);
		assert_int_equal(gap % 16, 0);
		assert_in_range(gap, 16, 4080);
		sum += gap;
	}
	/* 4096 / 17 get one: 240 +- 15, of 240 bytes on average, sd about 510 */
	assert_in_range(n, 150, 310);
	assert_in_range(sum, 20000, 110000);
	free(s);
}

static void the_script_of_a_real_linker_is_found(void **state)
{
	struct buf printed = BUF_INIT;
	char *script;

	(void)state;
	if (shell("ld --version >/dev/null 2>&1 && ld --verbose >verbose"))
		skip();
	assert_int_equal(file_read_whole(in_workshop("verbose"), 1 << 20, &printed, NULL), 0);
	script = script_of_verbose(buf_str(&printed), &fault);
	assert_non_null(script);
	assert_non_null(strstr(script, "*(.text .stub .text.* .gnu.linkonce.t.*)"));
	assert_null(strstr(script, "====="));
	write_source("whole.ld", script);
	assert_int_equal(shell("ld -r -T whole.ld --verbose >/dev/null"), 0);
	free(script);
	buf_release(&printed);
}

static void what_shows_no_script_is_refused(void **state)
{
	(void)state;
	assert_null(script_of_verbose("", &fault));
	assert_int_equal(fault.code, ERR_SYNTAX);
	assert_null(script_of_verbose("a\n==================================================\nb\n",
				      &fault));
	assert_null(
		script_of_verbose("a\n==================================================", &fault));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_section_of_the_project_stands_before_its_statement_once),
		cmocka_unit_test(a_seed_is_an_order),
		cmocka_unit_test(another_unit_leaves_the_order_of_the_others),
		cmocka_unit_test(the_name_of_a_passing_object_is_nothing_to_draw_by),
		cmocka_unit_test(the_folder_of_a_side_is_nothing_to_draw_by),
		cmocka_unit_test(the_systems_objects_stay_where_they_were),
		cmocka_unit_test(names_that_mean_more_than_themselves_are_not_used),
		cmocka_unit_test(a_name_that_no_word_has_is_never_a_plain_one),
		cmocka_unit_test(objects_that_are_gone_are_named_by_what_stays_of_their_names),
		cmocka_unit_test(a_statement_that_is_not_there_once_moves_nothing),
		cmocka_unit_test(gaps_are_small_and_rare_in_large_programs),
		cmocka_unit_test(the_script_of_a_real_linker_is_found),
		cmocka_unit_test(what_shows_no_script_is_refused),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
