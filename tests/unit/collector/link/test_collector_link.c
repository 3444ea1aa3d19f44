/* Records of links: written, read, damaged, found. */
#include "tests/unit/collector/layout/layout_fixture.h"

#include "collector/link/link.h"

#include "lib/base/banned.h"

static struct err fault;

static struct link a_link(const char *output)
{
	struct link l = LINK_INIT;

	l.linker = str_dup("/usr/bin/ld", NULL);
	l.folder = str_dup(workshop, NULL);
	l.output = str_dup(output, NULL);
	l.words = words_of("-o p 'a b.o' ''");
	l.env = words_of("PATH=/bin COLLECT_GCC=gcc");
	return l;
}

static void put_record(const char *name, const char *output)
{
	struct link l = a_link(output);
	struct buf record = BUF_INIT;

	assert_int_equal(link_encode(&l, &record, NULL), 0);
	assert_int_equal(file_write_whole(in_workshop(name), record.data, record.len, 0600, NULL),
			 0);
	buf_release(&record);
	link_release(&l);
}

static void a_record_reads_back(void **state)
{
	struct link l = a_link("p"), back = LINK_INIT;
	struct buf record = BUF_INIT;

	(void)state;
	assert_int_equal(link_encode(&l, &record, NULL), 0);
	assert_int_equal(link_decode(&record, &back, &fault), 0);
	assert_string_equal(back.linker, "/usr/bin/ld");
	assert_string_equal(back.folder, workshop);
	assert_string_equal(back.output, "p");
	assert_string_equal(line_of(&back.words), "[-o][p][a b.o][]");
	assert_string_equal(line_of(&back.env), "[PATH=/bin][COLLECT_GCC=gcc]");
	buf_release(&record);
	link_release(&l);
	link_release(&back);
}

static void a_record_that_is_cut_off_anywhere_is_refused(void **state)
{
	struct link l = a_link("p"), back = LINK_INIT;
	struct buf record = BUF_INIT;
	size_t whole, n;

	(void)state;
	assert_int_equal(link_encode(&l, &record, NULL), 0);
	whole = record.len;
	for (n = 0; n < whole; n++) {
		record.len = n;
		assert_int_equal(link_decode(&record, &back, &fault), -1);
		assert_int_equal(fault.code, ERR_CORRUPT);
	}
	record.len = whole;
	buf_addc(&record, '\0'); /* and so is one with more behind it */
	assert_int_equal(link_decode(&record, &back, &fault), -1);
	buf_release(&record);
	link_release(&l);
}

static void counts_that_lie_are_refused(void **state)
{
	static const char text[] = "pawl link 1\0/usr/bin/ld\0/\0p\0"
				   "99999999999\0-o\0";
	struct buf record = BUF_INIT;
	struct link back = LINK_INIT;

	(void)state;
	buf_add(&record, text, sizeof(text) - 1);
	assert_int_equal(link_decode(&record, &back, &fault), -1);
	assert_int_equal(fault.code, ERR_CORRUPT);
	buf_release(&record);
}

static bool is_named(void *ctx, const struct link *l, const char *place)
{
	(void)l;
	return !strcmp(path_base(place), ctx);
}

static void the_newest_whole_record_that_fits_is_found(void **state)
{
	struct link found = LINK_INIT;
	char p[] = "p", q[] = "q";

	(void)state;
	assert_int_equal(mkdir(in_workshop("records"), 0700), 0);
	assert_int_equal(link_find(in_workshop("records"), is_named, p, &found, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	put_record("records/001-7", "./p");
	put_record("records/002-7", "../p");
	put_record("records/003-7", "other");
	put_record("records/005-7.new", "p"); /* unfinished */
	write_source("records/006-7", "damaged");
	assert_int_equal(mkdir(in_workshop("records/007-7.d"), 0700), 0);
	assert_int_equal(link_find(in_workshop("records"), is_named, p, &found, &fault), 0);
	assert_string_equal(found.output, "../p");
	link_release(&found);
	assert_int_equal(link_find(in_workshop("records"), is_named, q, &found, &fault), -1);
	assert_int_equal(fault.code, ERR_ABSENT);
	assert_int_equal(link_find(in_workshop("nowhere"), is_named, q, &found, &fault), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_reads_back),
		cmocka_unit_test(a_record_that_is_cut_off_anywhere_is_refused),
		cmocka_unit_test(counts_that_lie_are_refused),
		cmocka_unit_test(the_newest_whole_record_that_fits_is_found),
	};

	return cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
