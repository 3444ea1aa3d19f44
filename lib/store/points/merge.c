#include "lib/store/points/merge.h"

#include <stdlib.h>

#include "lib/store/points/chunk.h"

#include "lib/base/banned.h"

/* So many are asked for at once, behind the one that holds what is wanted, where each question is a
 * journey. */
#define CHUNKS_AHEAD 3
#define CHUNKS_NEAR 1 /* and where it is none */

struct piece {
	struct buf bytes;
	struct chunk_key key;
};

/* The chunks of one series, one of which is being read. */
struct source {
	int64_t series;
	struct merge_place behind; /* nothing up to it is wanted */
	struct piece ahead[1 + CHUNKS_AHEAD];
	size_t n_ahead, next_ahead;
	bool has_all; /* behind these there are none */
	struct buf bytes;
	struct chunk_key key;
	struct chunk chunk;
	bool is_there; /* chunk.last is the next one */
	bool is_over;
};

struct merge {
	struct db *db;
	int64_t project;
	struct point_list tail;
	size_t tail_at, n;
	struct source sources[];
};

static bool is_before(const struct merge_place *a, const struct merge_place *b)
{
	if (a->t != b->t)
		return a->t < b->t;
	return a->run != b->run ? a->run < b->run : a->series < b->series;
}

static bool is_behind(const struct ledger_point *p, const struct merge_place *place)
{
	const struct merge_place at = { p->t, p->run, p->series };

	return is_before(place, &at);
}

static int order_sources(const void *a, const void *b)
{
	int64_t x = ((const struct source *)a)->series, y = ((const struct source *)b)->series;

	return (x > y) - (x < y);
}

static int order_points(const void *a, const void *b)
{
	return point_order(a, b);
}

/* Those of our series that are not in chunks, behind that place and in order. */
static int read_tail(struct merge *s, struct recent **kept, const struct merge_place *behind,
		     struct err *err)
{
	struct point_list *tail = &s->tail;
	int64_t *series = malloc(s->n * sizeof(*series));
	struct folded folded;
	size_t i, n = 0;
	int result;

	if (!series)
		return err_nomem(err);
	for (i = 0; i < s->n; i++)
		series[i] = s->sources[i].series;
	result = recent_folded(*kept, s->db, s->project, &folded, err) ||
				 recent_points(kept, s->db, s->project, &folded, series, s->n, tail,
					       err)
			 ? -1
			 : 0;
	for (i = 0; !result && i < tail->n; i++)
		if (is_behind(&tail->points[i], behind))
			tail->points[n++] = tail->points[i];
	tail->n = n;
	if (n)
		qsort(tail->points, n, sizeof(*tail->points), order_points);
	free(series);
	return result;
}

int merge_open(struct db *db, struct recent **kept, int64_t project, const int64_t *series,
	       size_t n, const struct merge_place *behind, struct merge **out, struct err *err)
{
	struct merge *s = calloc(1, sizeof(*s) + n * sizeof(s->sources[0]));
	size_t i;

	if (!s)
		return err_nomem(err);
	s->db = db;
	s->project = project;
	s->n = n;
	for (i = 0; i < n; i++)
		s->sources[i] = (struct source){ .series = series[i], .behind = *behind };
	if (n)
		qsort(s->sources, n, sizeof(s->sources[0]), order_sources);
	if (n && read_tail(s, kept, behind, err)) {
		merge_close(s);
		return -1;
	}
	*out = s;
	return 0;
}

void merge_close(struct merge *s)
{
	size_t i, k;

	for (i = 0; s && i < s->n; i++) {
		buf_release(&s->sources[i].bytes);
		for (k = 0; k <= CHUNKS_AHEAD; k++)
			buf_release(&s->sources[i].ahead[k].bytes);
	}
	if (s)
		free(s->tail.points);
	free(s);
}

static int take_piece(struct merge *s, struct source *from, struct db_query *st, struct err *err)
{
	struct piece *piece = &from->ahead[from->n_ahead];
	size_t n;
	const void *bytes = db_bytes(st, 4, &n);

	piece->key = (struct chunk_key){ s->project,	    from->series,      db_integer(st, 0),
					 db_integer(st, 1), db_integer(st, 2), db_integer(st, 3) };
	buf_reset(&piece->bytes);
	buf_add(&piece->bytes, bytes, n);
	if (db_row_check(st, err) || buf_check(&piece->bytes, err))
		return -1;
	from->n_ahead++;
	return 0;
}

static int order_pieces(const void *a, const void *b)
{
	const struct chunk_key *x = &((const struct piece *)a)->key;
	const struct chunk_key *y = &((const struct piece *)b)->key;
	const struct merge_place first = { x->t0, x->run0, 0 }, second = { y->t0, y->run0, 0 };

	return is_before(&second, &first) - is_before(&first, &second);
}

/* The chunk that holds what follows that point, and the next ones: sorted here, where the database
 * would copy all of them to sort them. */
static int ask_ahead(struct merge *s, struct source *from, int64_t t, int64_t run, struct err *err)
{
	static const char sql[] =
		"SELECT t0, run0, t1, run1, points FROM"
		" (SELECT t0, run0, t1, run1, points FROM chunk"
		"  WHERE project_id=?1 AND series_id=?2 AND (t0, run0)<=(?3, ?4)"
		"  ORDER BY t0 DESC, run0 DESC LIMIT 1) AS c WHERE (t1, run1)>(?3, ?4)"
		" UNION ALL SELECT t0, run0, t1, run1, points FROM"
		" (SELECT t0, run0, t1, run1, points FROM chunk"
		"  WHERE project_id=?1 AND series_id=?2 AND (t0, run0)>(?3, ?4)"
		"  ORDER BY t0, run0 LIMIT ?5) AS n";
	const struct merge_place behind = { t, run, 0 };
	const size_t most = db_is_far(s->db) ? CHUNKS_AHEAD : CHUNKS_NEAR;
	struct db_query *st = NULL;
	size_t n_next = 0;
	int step;

	from->n_ahead = from->next_ahead = 0;
	if (db_start(s->db, &st, err, sql, "iiiii", s->project, from->series, t, run,
		     (int64_t)most))
		return -1;
	while ((step = db_step(s->db, st, err)) > 0) {
		const struct merge_place first = { db_integer(st, 0), db_integer(st, 1), 0 };

		n_next += is_before(&behind, &first);
		if (take_piece(s, from, st, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	qsort(from->ahead, from->n_ahead, sizeof(from->ahead[0]), order_pieces);
	from->has_all = n_next < most;
	return step;
}

static int open_piece(struct source *from, struct piece *piece, struct err *err)
{
	const struct buf bytes = from->bytes;

	from->bytes = piece->bytes;
	piece->bytes = bytes;
	from->key = piece->key;
	return chunk_open(&from->chunk, &from->key, buf_str(&from->bytes), from->bytes.len, err);
}

/* 1: the chunk that holds what follows `behind`; 0: there is none. */
static int load_chunk(struct merge *s, struct source *from, struct err *err)
{
	const struct merge_place *b = &from->behind;
	/* A point of that very place may be one that follows. */
	int64_t run = b->series < from->series && b->run > 0 ? b->run - 1 : b->run;

	for (;;) {
		while (from->next_ahead < from->n_ahead) {
			struct piece *piece = &from->ahead[from->next_ahead++];
			const struct chunk_key *key = &piece->key;

			if (key->t1 > b->t || (key->t1 == b->t && key->run1 > run))
				return open_piece(from, piece, err) ? -1 : 1;
		}
		if (from->has_all)
			return 0;
		if (ask_ahead(s, from, b->t, run, err))
			return -1;
	}
}

/* The next point behind `behind`, in from->chunk.last. */
static int settle(struct merge *s, struct source *from, struct err *err)
{
	int step;

	while (!from->is_over &&
	       (!from->is_there || !is_behind(&from->chunk.last, &from->behind))) {
		step = chunk_next(&from->chunk, err);
		if (!step)
			step = load_chunk(s, from, err);
		else
			from->is_there = step > 0;
		if (step < 0)
			return -1;
		from->is_over = !step;
	}
	return 0;
}

int merge_next(struct merge *s, const struct ledger_point **out, struct err *err)
{
	const struct ledger_point *least = NULL;
	struct source *from = NULL;
	size_t i;

	for (i = 0; i < s->n; i++) {
		struct source *one = &s->sources[i];

		if (settle(s, one, err))
			return -1;
		if (!one->is_over && (!least || point_order(&one->chunk.last, least) < 0)) {
			from = one;
			least = &one->chunk.last;
		}
	}
	if (s->tail_at < s->tail.n &&
	    (!least || point_order(&s->tail.points[s->tail_at], least) < 0)) {
		*out = &s->tail.points[s->tail_at++];
		return 1;
	}
	if (!least)
		return 0;
	*out = least;
	from->behind = (struct merge_place){ least->t, least->run, least->series };
	from->is_there = false;
	return 1;
}

void merge_skip(struct merge *s, int64_t t, int64_t run)
{
	const struct merge_place behind = { t, run, 0 };
	size_t i;

	while (s->tail_at < s->tail.n && !is_behind(&s->tail.points[s->tail_at], &behind))
		s->tail_at++;
	for (i = 0; i < s->n; i++) {
		struct source *one = &s->sources[i];

		if (one->is_over || (one->is_there && is_behind(&one->chunk.last, &behind)) ||
		    is_before(&behind, &one->behind))
			continue;
		one->behind = behind;
		if (one->key.t1 < t || (one->key.t1 == t && one->key.run1 < run))
			one->chunk.left = 0; /* nothing of it is wanted */
	}
}

/* Likewise of one series; *out stays where all of its points are behind it. */
static int find_last(struct db *db, int64_t project, int64_t series, size_t most,
		     struct merge_place *out, struct err *err)
{
	struct db_query *st = NULL;
	struct merge_place place = *out;
	size_t n = 0;
	int step = 1;

	if (db_start(db, &st, err,
		     "SELECT t0, run0, n FROM chunk WHERE project_id=?1 AND series_id=?2"
		     " ORDER BY t0 DESC, run0 DESC",
		     "ii", project, series))
		return -1;
	while (n < most && (step = db_step(db, st, err)) > 0) {
		place = (struct merge_place){ db_integer(st, 0), db_integer(st, 1), 0 };
		n += (size_t)db_integer(st, 2);
	}
	db_end(st);
	if (step > 0 && is_before(out, &place))
		*out = place;
	return step < 0 ? -1 : 0;
}

int merge_last(struct db *db, int64_t project, const int64_t *series, size_t n, size_t most,
	       const struct merge_place *since, struct merge_place *out, bool *out_all,
	       struct err *err)
{
	size_t i;

	*out = *since;
	for (i = 0; i < n; i++)
		if (find_last(db, project, series[i], most, out, err))
			return -1;
	*out_all = !is_before(since, out);
	return 0;
}
