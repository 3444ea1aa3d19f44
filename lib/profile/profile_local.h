/*
 * profile_local - how a profile is made: costs in any order, then sorted and added up.
 */
#ifndef PAWL_PROFILE_PROFILE_LOCAL_H
#define PAWL_PROFILE_PROFILE_LOCAL_H

#include "lib/profile/profile.h"

/* One cost; the strings belong to the builder's names. */
struct profile_record {
	const char *name, *object, *function_file;
	const char *file;
	unsigned line;
	bool is_call; /* counts for the inclusive cost alone */
	double cost;
};

struct profile_builder {
	struct profile_record *records;
	size_t n, cap;
	struct strv names;
};

#define PROFILE_BUILDER_INIT \
	{ \
		NULL, 0, 0, STRV_INIT \
	}

void profile_builder_release(struct profile_builder *b);

/* A copy of n bytes that lives as long as the builder; NULL with ERR_NOMEM. */
const char *profile_builder_name(struct profile_builder *b, const char *text, size_t n,
				 struct err *err);

/* Errors: ERR_LIMIT beyond PROFILE_MAX_RECORDS, ERR_NOMEM. */
int profile_builder_add(struct profile_builder *b, const struct profile_record *r, struct err *err);

/* Makes the profile and leaves an empty builder.  Errors: ERR_NOMEM. */
int profile_builder_end(struct profile_builder *b, struct profile *out, struct err *err);

#endif
