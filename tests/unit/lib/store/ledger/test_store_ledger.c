/* The server's ledger: what is posted is found again, byte for byte, and once. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include <sys/mount.h>

#include "lib/squeeze/squeeze.h"
#include "tests/unit/lib/store/ledger/ledger_undo.h"

static void same_post_again_is_same_other_content_is_a_conflict(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel other;
	char id[27];

	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_CREATED);
	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_SAME);
	fill_summary(&other.s, 1, COMMIT_B);
	assert_int_equal(post(p->writer, &other, false), POST_CONFLICT);
	summary_release(&other.s);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), 0);
	assert_true(has(&out, COMMIT_A));
	buf_release(&out);
}

static void document_comes_back_byte_for_byte(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct parcel one;
	struct post *posts = &one.post;
	char id[27];

	fill_summary(&one.s, 1, COMMIT_A);
	wrap(&one, false);
	assert_int_equal(ledger_post(p->writer, &posts, 1, NULL), 0);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), 0);
	assert_int_equal(out.len, one.json.len);
	assert_memory_equal(out.data, one.json.data, out.len);
	meddle(p->path, "UPDATE document SET json=x'7b7d'");
	buf_reset(&out);
	assert_int_equal(ledger_summary(p->reader, "zlib", id, false, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_int_equal(ledger_summary(p->reader, "other", id, false, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	summary_release(&one.s);
	buf_release(&one.json);
	buf_release(&out);
}

/* How many bytes the document table holds. */
static int64_t number_of(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;
	int64_t n;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return n;
}

static void compressed_document_is_kept_so_and_comes_back_plain(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT, frame = BUF_INIT;
	struct err err = ERR_INIT;
	struct parcel one;
	struct post *posts = &one.post;
	char id[27];

	fill_summary(&one.s, 1, COMMIT_A);
	wrap(&one, false);
	assert_true(squeeze_document(one.json.data, one.json.len, 1, &frame));
	one.post.json = NULL;
	one.post.frame = frame.data;
	one.post.n_frame = frame.len;
	assert_int_equal(ledger_post(p->writer, &posts, 1, NULL), 0);
	assert_int_equal(number_of(p->path, "SELECT length(json) FROM document"),
			 (int64_t)frame.len);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), 0);
	assert_int_equal(out.len, one.json.len);
	assert_memory_equal(out.data, one.json.data, out.len);
	meddle(p->path, "UPDATE document SET json=json || x'00'");
	assert_int_equal(ledger_summary(p->reader, "zlib", id, false, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	summary_release(&one.s);
	buf_release(&one.json);
	buf_release(&frame);
	buf_release(&out);
}

static void plain_documents_of_the_schema_before_are_read(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT, before = BUF_INIT;
	char id[27];

	post_plain(p->writer, 1, COMMIT_A, false);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &before, NULL), 0);
	ledger_close(p->reader);
	ledger_close(p->writer);
	undo_seventh(p->path);
	meddle(p->path, UNDO_SIXTH UNDO_FIFTH);
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	assert_int_equal(ledger_summary(p->reader, "zlib", id, false, &out, NULL), 0);
	assert_string_equal(buf_str(&out), buf_str(&before));
	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_SAME);
	/* What was there is not watched for steps; the next one is, though all it names is known.
	 */
	assert_int_equal(post_plain(p->writer, 2, COMMIT_A, false), POST_CREATED);
	assert_int_equal(number_of(p->path, "SELECT count(*) FROM run, project"
					    " WHERE run_id>watched"),
			 1);
	buf_release(&out);
	buf_release(&before);
}

/* Three posts from number first on, of which the second one cannot be stored. */
static void post_bad_between_good(struct place *p, unsigned first)
{
	struct parcel parcels[3];
	struct post *posts[3];
	struct buf out = BUF_INIT;
	char id[27];
	unsigned i;

	for (i = 0; i < 3; i++) {
		fill_summary(&parcels[i].s, first + i, COMMIT_A);
		if (i == 1)
			assert_int_equal(str_set(&parcels[i].s.benchmarks[0].name, "new", NULL), 0);
		wrap(&parcels[i], i == 1);
		posts[i] = &parcels[i].post;
	}
	assert_int_equal(ledger_post(p->writer, posts, 3, NULL), 0);
	assert_int_equal(posts[0]->result, POST_CREATED);
	assert_int_equal(posts[1]->result, POST_FAILED);
	assert_int_equal(posts[1]->err.code, ERR_LIMIT);
	assert_int_equal(posts[2]->result, POST_CREATED);
	for (i = 0; i < 3; i++) {
		int wanted = i == 1 ? -1 : 0;

		assert_int_equal(
			ledger_summary(p->reader, "zlib", id_of(first + i, id), false, &out, NULL),
			wanted);
		summary_release(&parcels[i].s);
		buf_release(&parcels[i].json);
	}
	buf_release(&out);
}

/* All together at first; then that is not tried, for so many batches. */
static void bad_post_does_not_fail_its_neighbours(void **state)
{
	struct place *p = *state;
	unsigned i;

	assert_int_equal(post_plain(p->writer, 99, COMMIT_A, true), POST_CREATED);
	meddle(p->path, "UPDATE project SET n_series_apart=20000");
	for (i = 0; i < 3; i++)
		post_bad_between_good(p, 3 * i);
	for (i = 0; i < 80; i++)
		assert_int_equal(post_plain(p->writer, 10 + i, COMMIT_A, false), POST_CREATED);
	post_bad_between_good(p, 90);
	assert_int_equal(number_of(p->path, "SELECT count(*) FROM run"), 1 + 3 * 2 + 80 + 2);
	assert_int_equal(number_of(p->path, "SELECT count(*) FROM sheet"), 1 + 3 * 2 + 80 + 2);
}

static void lists_name_projects_benchmarks_and_machines(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	assert_int_equal(ledger_projects(p->reader, NULL, &out, NULL), 0);
	assert_string_equal(buf_str(&out), "{\"projects\":[],\"next\":null}");
	post_plain(p->writer, 1, COMMIT_A, false);
	buf_reset(&out);
	assert_int_equal(ledger_projects(p->reader, NULL, &out, NULL), 0);
	assert_true(has(&out, "\"name\":\"zlib\",\"summaries\":1,\"commits\":1,\"benchmarks\":1"));
	buf_reset(&out);
	assert_int_equal(ledger_projects(p->reader, "other", &out, NULL), 0);
	assert_string_equal(buf_str(&out), "{\"projects\":[],\"next\":null}");
	buf_reset(&out);
	assert_int_equal(ledger_benchmarks(p->reader, "zlib", &out, NULL), 0);
	assert_string_equal(
		buf_str(&out),
		"{\"project\":\"zlib\",\"benchmarks\":[{\"name\":\"deflate/6\","
		"\"metrics\":[{\"name\":\"cpu\",\"series\":[{\"machine\":\"" MACHINE
		"\",\"unit\":\"ns\",\"better\":\"lower\",\"gate\":true}]},"
		"{\"name\":\"wall\",\"series\":[{\"machine\":\"" MACHINE
		"\",\"unit\":\"ns\",\"better\":\"lower\",\"gate\":false}]}]}],\"next\":null}");
	buf_reset(&out);
	assert_int_equal(ledger_project(p->reader, "zlib", &out, NULL), 0);
	assert_true(has(&out, "\"cpu\":\"some cpu\""));
	buf_release(&out);
}

static void wrong_store_and_newer_ledger_are_refused(void **state)
{
	struct place *p = *state;
	struct ledger *l = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(ledger_open("mysql://x/y", LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_int_equal(ledger_open("sqlite:", LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_USAGE);
	assert_int_equal(ledger_open("sqlite:/nonexistent/x", LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	assert_int_equal(ledger_open("sqlite:/nonexistent/x", LEDGER_READ, &l, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	meddle(p->path, "PRAGMA user_version=99");
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &l, &err), -1);
	assert_int_equal(err.code, ERR_NEWER);
	assert_non_null(strstr(err.text, "has schema 99, of a newer pawld; pawld " PAWL_VERSION));
	assert_non_null(strstr(err.text, " writes schema "));
	assert_non_null(strstr(err.hint, "newer pawld"));
}

static void full_disk_stores_nothing_of_the_batch_and_the_probe_tells_when_it_ends(void **state)
{
	struct place *p = *state;
	char *disk = path_in(p->dir, "disk"), *filler = path_in(disk, "filler"), where[512];
	struct err err = ERR_INIT;
	struct ledger *l = NULL;
	struct parcel one;
	struct post *posts = &one.post;
	struct buf big = BUF_INIT, out = BUF_INIT;
	char id[27];

	assert_int_equal(file_make_dirs(disk, 0700, NULL), 0);
	if (geteuid() || mount("none", disk, "tmpfs", 0, "size=1m")) {
		print_message("# skipped: only root may mount a small tmpfs\n");
		free(disk);
		free(filler);
		skip();
	}
	snprintf(where, sizeof(where), "sqlite:%s/ledger.db", disk);
	assert_int_equal(ledger_open(where, LEDGER_WRITE, &l, &err), 0);
	assert_int_equal(post_plain(l, 1, COMMIT_A, false), POST_CREATED);
	buf_addn(&big, 'x', 1 << 20);
	file_write_whole(filler, big.data, big.len, 0600, NULL);
	while (big.len > 512 && file_write_whole(filler, big.data, big.len, 0600, NULL))
		buf_truncate(&big, big.len - 512);
	/* 64 KiB of names: more than what may be left in the pages that exist. */
	fill_summary(&one.s, 2, COMMIT_A);
	buf_reset(&big);
	buf_addn(&big, 'y', 200000);
	assert_int_equal(str_set(&one.s.benchmarks[0].detail, big.data, NULL), 0);
	wrap(&one, false);
	assert_int_equal(ledger_post(l, &posts, 1, &err), -1);
	assert_int_equal(err.code, ERR_FULL);
	assert_int_equal(ledger_probe(l, &err), -1);
	assert_int_equal(err.code, ERR_FULL);
	assert_int_equal(ledger_summary(l, "zlib", id_of(2, id), false, &out, NULL), -1);
	assert_int_equal(unlink(filler), 0);
	assert_int_equal(ledger_probe(l, &err), 0);
	assert_int_equal(ledger_post(l, &posts, 1, &err), 0);
	assert_int_equal(one.post.result, POST_CREATED);
	assert_int_equal(ledger_summary(l, "zlib", id_of(1, id), false, &out, NULL), 0);
	ledger_close(l);
	assert_int_equal(umount(disk), 0);
	summary_release(&one.s);
	buf_release(&one.json);
	buf_release(&big);
	buf_release(&out);
	free(disk);
	free(filler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(same_post_again_is_same_other_content_is_a_conflict),
		ONE(document_comes_back_byte_for_byte),
		ONE(compressed_document_is_kept_so_and_comes_back_plain),
		ONE(plain_documents_of_the_schema_before_are_read),
		ONE(bad_post_does_not_fail_its_neighbours),
		ONE(lists_name_projects_benchmarks_and_machines),
		ONE(wrong_store_and_newer_ledger_are_refused),
		ONE(full_disk_stores_nothing_of_the_batch_and_the_probe_tells_when_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
