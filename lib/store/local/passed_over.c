/* What a handle of the store has passed over: a line for each. */
#include "lib/store/local/local.h"

#include "lib/base/banned.h"

bool store_pass_over(struct store *store, const char *id, const struct err *why, struct err *err)
{
	struct err line = ERR_INIT;

	if (!err_is_of_bytes(why)) {
		if (err)
			*err = *why;
		return false;
	}
	/* By way of an error's text: what is damaged may hold any byte. */
	err_set(&line, why->code, "the stored result '%s' %s and was passed over: run 'pawl fsck'",
		id, why->code == ERR_CORRUPT ? "is damaged" : "cannot be read");
	return strv_has(&store->passed_over, line.text) ||
	       !strv_add(&store->passed_over, line.text, err);
}

const struct strv *store_passed_over(const struct store *store)
{
	return &store->passed_over;
}

int store_say_damaged(struct store *store, struct err *err)
{
	static const char line[] =
		"the store is damaged, so that not all results may be found: run "
		"'pawl fsck'";

	return strv_has(&store->passed_over, line) ? 0 : strv_add(&store->passed_over, line, err);
}
