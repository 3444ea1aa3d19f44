/* Alerts, and the messages about them. */
#include "lib/store/alerts/outbox.h"
#include "lib/store/lists/lists.h"

#include "lib/base/banned.h"

static int read_alerts(struct page *p, struct alert_rows *rows, struct err *err)
{
	const struct alert_query q = { .project = p->q->project,
				       .state = p->q->state,
				       .benchmark = p->q->benchmark,
				       .before = p->from[0],
				       .limit = p->q->limit };

	return alerts_rows(&p->l->db, p->project, &q, &p->w, rows, err);
}

static int read_messages(struct page *p, struct alert_rows *rows, struct err *err)
{
	return outbox_rows(&p->l->db, p->project, p->from[0], p->q->limit, &p->w, rows, err);
}

static int give(struct ledger *l, const struct list_query *q, const char *kind,
		int (*read)(struct page *p, struct alert_rows *rows, struct err *err),
		struct buf *out, struct err *err)
{
	struct alert_rows rows = { .n = 0 };
	struct err fault = ERR_INIT;
	struct page p;
	int step;

	if (page_begin(&p, l, q, kind, out, err))
		return -1;
	step = read(&p, &rows, &fault);
	p.n = rows.n;
	p.last[0] = rows.last;
	p.is_over = rows.more;
	step = page_end(&p, step, out, &fault);
	if (step && err)
		*err = fault;
	return step;
}

int lists_alerts(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	return give(l, q, "alerts", read_alerts, out, err);
}

int lists_messages(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	return give(l, q, "messages", read_messages, out, err);
}
