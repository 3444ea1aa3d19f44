/* An index that lost a row, or makes one of another's: the table knows better, and it is told. */
#include "tests/unit/lib/store/local/results_fixture.h"

#include "lib/base/banned.h"

/*
 * Spoils one digit of the commit in its entries of indexes, where the project stands in front of it
 * but no id: "zlib" and the commit are behind each other in the table, too.  How many there were.
 */
static int spoil_index(struct place *p, const char *commit)
{
	char key[64];
	struct buf file = BUF_INIT;
	char *at;
	int n = 0;
	FILE *f;

	store_close(p->store);
	p->store = NULL;
	snprintf(key, sizeof(key), "zlib%s", commit);
	assert_int_equal(file_read_whole(p->path, 1 << 24, &file, NULL), 0);
	for (at = file.data;
	     (at = memmem(at, (size_t)(file.data + file.len - at), key, strlen(key))); at++) {
		if (strchr("0123456789ABCDEFGHJKMNPQRSTVWXYZ", at[-1]))
			continue; /* an id: it is the table's */
		at[10] = at[10] == '7' ? '8' : '7';
		n++;
	}
	f = fopen(p->path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(file.data, 1, file.len, f), file.len);
	assert_int_equal(fclose(f), 0);
	buf_release(&file);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	return n;
}

static bool is_told(const struct place *p)
{
	const struct strv *lines = store_passed_over(p->store);

	return lines->n == 1 && strstr(lines->v[0], "not all results may be found") &&
	       strstr(lines->v[0], "'pawl fsck'");
}

static void what_the_index_lost_is_found(void **state)
{
	struct place *p = *state;
	struct summary s;
	char id[27];

	add(p->store, 1, COMMIT_A);
	add(p->store, 2, COMMIT_A);
	assert_int_equal(2, spoil_index(p, COMMIT_A));
	assert_true(baseline_is(p->store, COMMIT_A, 2));
	assert_true(is_told(p));
	assert_int_equal(store_latest(p->store, "zlib", COMMIT_A, &s, NULL), 0);
	assert_string_equal(s.id, id_of(2, id));
	summary_release(&s);
}

/* An entry that is another commit's by now gives no result of that one. */
static void what_the_index_makes_of_it_is_not_believed(void **state)
{
	struct place *p = *state;
	char other[] = COMMIT_A;
	struct summary s;
	struct err err = ERR_INIT;

	other[6] = other[6] == '7' ? '8' : '7';
	add(p->store, 1, COMMIT_A);
	assert_int_equal(1, spoil_index(p, COMMIT_A));
	assert_int_equal(store_latest(p->store, "zlib", other, &s, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_true(is_told(p));
}

/* What was stored after the table was read is found by the index, and nothing is said. */
static void a_sound_store_is_told_nothing_of(void **state)
{
	struct place *p = *state;

	add(p->store, 1, COMMIT_A);
	assert_true(baseline_is(p->store, COMMIT_A, 1));
	add(p->store, 2, COMMIT_A);
	add(p->store, 3, COMMIT_B);
	assert_true(baseline_is(p->store, COMMIT_A, 2));
	assert_true(baseline_is(p->store, COMMIT_B, 3));
	assert_int_equal(0, store_passed_over(p->store)->n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(what_the_index_lost_is_found),
		ONE(what_the_index_makes_of_it_is_not_believed),
		ONE(a_sound_store_is_told_nothing_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
