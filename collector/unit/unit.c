#include "collector/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

#define ALARM_NS 900000000.0 /* no alarm() rings before a second is over, or about one */

bool unit_is_whole(const struct unit *u)
{
	return u->format != FORMAT_PAWL && !u->selector;
}

void unit_release(struct unit *u)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++) {
		run_release(&u->pairs[i].head);
		run_release(&u->pairs[i].base);
	}
	run_release(&u->warm_up.head);
	run_release(&u->warm_up.base);
	free(u->pairs);
	free(u->name);
	free(u->inner);
	free(u->selector);
	side_release(&u->head);
	side_release(&u->base);
	free(u->anchors[0]);
	free(u->anchors[1]);
	free(u->failure);
	free(u->base_failure);
	free(u->lacks);
	free(u->not_compared);
	free(u->one_layout);
	code_changes_release(&u->changes);
	free(u->work.how);
	free(u->work.reason);
	memset(u, 0, sizeof(*u));
}

int unit_let_measure(struct unit *u, const char *why, const char *file, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	u->identical = false;
	u->has_base = true;
	u->base.may_ask = u->head.may_ask = true;
	buf_adds(&text, why);
	if (file)
		buf_addf(&text, " ('%s')", file);
	if (!buf_check(&text, err))
		result = str_set(&u->changes.why, buf_str(&text), err);
	buf_release(&text);
	return result;
}

bool unit_rings(const struct unit *u)
{
	return u->alarms && u->run_ns > ALARM_NS;
}

void unit_tell_alarm(const struct unit *u, const struct talk *talk)
{
	talk_warn(talk, UNIT_CURE_CLOCK,
		  "'%s' calls alarm(): if it repeats its work until that rings, it takes as long "
		  "however fast its code is",
		  u->name);
}
