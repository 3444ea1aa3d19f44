/*
 * outbox - who is to hear of alerts, and what is still to be sent to whom.
 *
 * A message waits, goes out at least once, and is then delivered or has failed; what one target is
 * sent about a commit goes in order.  Its id is the same each time, so that a receiver can drop
 * what comes twice.
 */
#ifndef PAWL_STORE_ALERTS_OUTBOX_H
#define PAWL_STORE_ALERTS_OUTBOX_H

#include "lib/base/when.h"
#include "lib/store/alerts/alerts.h"

/* Stored as these numbers. */
enum target_kind { TARGET_WEBHOOK = 1, TARGET_MAIL = 2, TARGET_STATUS = 3, TARGET_KINDS };
enum message_state { MESSAGE_WAITS = 1, MESSAGE_DELIVERED = 2, MESSAGE_FAILED = 3, MESSAGE_STATES };

/* "webhook", "mail", "status". */
const char *alert_target_kind_name(int64_t kind);

/* Texts belong to who made it; of one that was read, free them with alert_target_release(). */
struct alert_target {
	int64_t id;
	enum target_kind kind;
	char *url;		   /* https://..., smtp://..., or of a forge's API */
	char *secret_file;	   /* NULL: none */
	char *sender, *recipients; /* of mail; addresses, a comma between them */
	char *forge, *repository;  /* of a status */
	char *branch;		   /* NULL: any */
	bool verdicts_only;
	bool allow_private; /* the url may lead into this machine or its network */
};

void alert_target_release(struct alert_target *t); /* accepts a zeroed one */

/* Makes the project's row where it has none yet.  Errors: those of a write. */
int alert_target_add(struct db *db, const char *project, const struct alert_target *t,
		     int64_t *out_id, struct err *err);
/* What waits for it is dropped.  Errors: ERR_ABSENT. */
int alert_target_remove(struct db *db, const char *project, int64_t id, struct err *err);
/* Errors: ERR_ABSENT. */
int alert_target_get(struct db *db, const char *project, int64_t id, struct alert_target *out,
		     struct err *err);
/* {"project", "targets": [...]}; a secret's file is named, its content is nobody's business. */
int alert_target_list(struct db *db, const char *project, struct buf *out, struct err *err);

struct message {
	int64_t project, message;
	char id[27];
	char *project_name, *commit; /* commit NULL: of none */
	enum alert_state event;
	int64_t made_us, next_us, tries; /* tries that were begun */
	struct alert_target target;
};

void message_release(struct message *m); /* accepts a zeroed one */

/*
 * The message that is due, the one that is due longest: 0; 1: none, and *out_next_us is when there
 * will be one, INT64_MAX: none waits.
 */
int outbox_next(struct db *db, int64_t now_us, struct message *out, int64_t *out_next_us,
		struct err *err);

/*
 * Takes it for a try, on the disk: nobody else takes it before until_us.  *out_ours: it was still
 * as it was read.
 */
int outbox_claim(struct db *db, const struct message *m, int64_t until_us, bool *out_ours,
		 struct err *err);

struct settled {
	enum message_state state;
	int64_t next_us;   /* MESSAGE_WAITS: not before */
	bool rest;	   /* nothing that waits for its target goes before that */
	const char *fault; /* one line; NULL: none */
};

/* What came of a try, in a transaction of its own. */
int outbox_settle(struct db *db, const struct message *m, const struct settled *s, struct err *err);

/* How many alerts are open at its commit now, or gone: not settled. */
int outbox_open(struct db *db, const struct message *m, int64_t *out, struct err *err);

/* Its alerts as JSON, an array; at most so many, and *out_n how many there are. */
int outbox_alerts(struct db *db, const struct message *m, size_t most, struct buf *out,
		  int64_t *out_n, struct err *err);

/* How many wait, and when the oldest of them was made; 0: none waits. */
int outbox_count(struct db *db, int64_t *out_waiting, int64_t *out_oldest_us, struct err *err);

#define OUTBOX_KEEP_US (90 * WHEN_DAY_US) /* after they were delivered */

/* How far they were looked at; zero: not at all. */
struct outbox_place {
	int64_t project, message;
};

/*
 * Looks at some messages behind *io and drops those that were delivered before that; what waits or
 * has failed stays.  *io moves on, to zero behind the last one.  In a transaction of its own, where
 * there is anything to be dropped.
 * Cost: 256 rows that are read.
 */
int outbox_drop(struct db *db, int64_t before_us, struct outbox_place *io, struct err *err);

/* As alerts_rows(), of a project's messages. */
int outbox_rows(struct db *db, int64_t project, int64_t before, size_t limit, struct jsonw *w,
		struct alert_rows *out, struct err *err);

#endif
