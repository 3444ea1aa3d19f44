/* Messages that were delivered long ago. */
#include "lib/store/alerts/outbox.h"

#include "lib/base/banned.h"

/* Looked at in one step. */
#define STEP 256

struct due {
	int64_t project, message;
};

/* *io ends behind the last one that was looked at, or at zero. */
static int find_due(struct db *db, int64_t before_us, struct outbox_place *io, struct buf *out,
		    struct err *err)
{
	struct db_query *st = NULL;
	size_t n = 0;
	int step;

	if (db_start(db, &st, err,
		     "SELECT project_id, message_id, state, done_us FROM message"
		     " WHERE (project_id, message_id)>(?1, ?2)"
		     " ORDER BY project_id, message_id LIMIT ?3",
		     "iii", io->project, io->message, (int64_t)STEP))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		const struct due due = { db_integer(st, 0), db_integer(st, 1) };

		n++;
		*io = (struct outbox_place){ due.project, due.message };
		if (db_integer(st, 2) == MESSAGE_DELIVERED && db_integer(st, 3) < before_us)
			buf_add(out, &due, sizeof(due));
	}
	db_end(st);
	if (step < 0)
		return -1;
	if (n < STEP)
		*io = (struct outbox_place){ 0, 0 };
	return buf_check(out, err);
}

static int drop_one(struct db *db, const struct due *due, struct err *err)
{
	static const char *const all[] = {
		"DELETE FROM message_alert WHERE project_id=?1 AND message_id=?2",
		"DELETE FROM message WHERE project_id=?1 AND message_id=?2",
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (db_run(db, err, all[i], "ii", due->project, due->message))
			return -1;
	return 0;
}

static int drop_all(struct db *db, const struct due *due, size_t n, struct err *err)
{
	size_t i;

	if (db_begin(db, err))
		return -1;
	for (i = 0; i < n; i++) {
		/* Answers about the project are tagged with it. */
		bool is_last = i + 1 == n || due[i + 1].project != due[i].project;

		if (drop_one(db, &due[i], err) ||
		    (is_last &&
		     db_run(db, err, "UPDATE project SET next_id=next_id+1 WHERE project_id=?1",
			    "i", due[i].project)))
			break;
	}
	if (i == n && !db_commit(db, err))
		return 0;
	db_rollback(db);
	return -1;
}

int outbox_drop(struct db *db, int64_t before_us, struct outbox_place *io, struct err *err)
{
	struct outbox_place at = *io;
	struct buf found = BUF_INIT;
	int result = find_due(db, before_us, &at, &found, err);
	size_t n = found.len / sizeof(struct due);

	if (!result && n)
		result = drop_all(db, (const struct due *)(const void *)found.data, n, err);
	if (!result)
		*io = at;
	buf_release(&found);
	return result;
}
