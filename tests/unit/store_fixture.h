/* What the tests of lib/store share: a summary to store and a folder to store it in. */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/record/summary.h"

#define MACHINE "0011223344556677"
#define COMMIT_A "aaaa456789abcdef0123456789abcdef01234567"
#define COMMIT_B "bbbb456789abcdef0123456789abcdef01234567"
#define MONDAY_US 1763632800000000

/* A ULID that ends in n. */
static inline const char *id_of(unsigned n, char out[27])
{
	snprintf(out, 27, "01JD00000000000000%08u", n % 100000000);
	return out;
}

static inline struct metric *add_metric(struct bench *b, const char *name, double median)
{
	struct metric *m = bench_add_metric(b, name, "ns", BETTER_LOWER, NULL);

	assert_non_null(m);
	assert_int_equal(samples_add(&m->samples, &m->n, median - 1, NULL), 0);
	assert_int_equal(samples_add(&m->samples, &m->n, median, NULL), 0);
	assert_int_equal(samples_add(&m->samples, &m->n, median + 1, NULL), 0);
	m->described = true;
	m->mean = m->median = median;
	m->ci_low = median - 1;
	m->ci_high = median + 1;
	m->stddev = 1;
	m->min = median - 1;
	m->max = m->p99 = median + 1;
	m->throughput_per_s = 1e9 / median;
	return m;
}

static inline void judge(struct metric *m, double ratio, enum verdict verdict)
{
	m->has_delta = true;
	m->delta.ratio = ratio;
	m->delta.low = ratio - 0.01;
	m->delta.high = ratio + 0.01;
	m->delta.confidence = 0.95;
	m->delta.verdict = verdict;
}

/* A clean summary of one benchmark "deflate/6" with metrics cpu (the gate) and wall. */
static inline void fill_summary(struct summary *s, unsigned n, const char *commit)
{
	char id[27];
	struct bench *b;

	summary_init(s);
	assert_int_equal(str_set(&s->id, id_of(n, id), NULL), 0);
	assert_int_equal(str_set(&s->project, "zlib", NULL), 0);
	assert_int_equal(str_set(&s->commit.id, commit, NULL), 0);
	assert_int_equal(str_set(&s->commit.branch, "main", NULL), 0);
	assert_int_equal(str_set(&s->commit.subject, "make it <faster> & \"better\"", NULL), 0);
	s->commit.author_time_us = s->commit.commit_time_us = MONDAY_US + n * 1000000;
	assert_int_equal(str_set(&s->machine.id, MACHINE, NULL), 0);
	assert_int_equal(str_set(&s->machine.cpu, "some cpu", NULL), 0);
	s->machine.cores = 8;
	s->settings.runs_min = 20;
	s->settings.runs_max = 30;
	s->settings.min_time_ns = 250000000;
	s->settings.confidence = 0.95;
	s->settings.threshold = 0.02;
	s->started_us = s->finished_us = MONDAY_US + n * 1000000;
	b = summary_add_bench(s, "deflate/6", NULL);
	assert_non_null(b);
	assert_int_equal(str_set(&b->gate, "cpu", NULL), 0);
	assert_int_equal(str_set(&b->format, "command", NULL), 0);
	add_metric(b, "cpu", 1000 + n);
	add_metric(b, "wall", 2000 + n);
}

static inline char *new_folder(void)
{
	char *dir = strdup("/tmp/pawl-unit.XXXXXX");

	assert_non_null(mkdtemp(dir));
	return dir;
}

static inline char *path_in(const char *dir, const char *name)
{
	char *path = malloc(strlen(dir) + strlen(name) + 2);

	assert_non_null(path);
	snprintf(path, strlen(dir) + strlen(name) + 2, "%s/%s", dir, name);
	return path;
}

/* Runs SQL behind pawl's back. */
static inline void meddle(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Flips the lowest bit of a byte of a row's column; at -1: of its last one. */
static inline void flip(const char *path, const char *table, const char *column, sqlite3_int64 row,
			int at)
{
	sqlite3_blob *blob = NULL;
	sqlite3 *db = NULL;
	unsigned char byte;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_blob_open(db, "main", table, column, row, 1, &blob), SQLITE_OK);
	at = at < 0 ? sqlite3_blob_bytes(blob) - 1 : at;
	assert_int_equal(sqlite3_blob_read(blob, &byte, 1, at), SQLITE_OK);
	byte ^= 1;
	assert_int_equal(sqlite3_blob_write(blob, &byte, 1, at), SQLITE_OK);
	assert_int_equal(sqlite3_blob_close(blob), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Of a result of the local store. */
static inline void flip_byte(const char *path, const char *column, sqlite3_int64 row, int at)
{
	flip(path, "result", column, row, at);
}

#endif
