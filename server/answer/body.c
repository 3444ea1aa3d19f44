#include "server/answer/body.h"

#include "server/answer/batch.h"
#include "server/answer/post.h"
#include "server/answer/routes.h"
#include "server/others/client.h"
#include "server/others/others.h"

#include "lib/base/banned.h"

int body_open(struct request *r)
{
	const struct buf *plain;

	return client_is_other(r) ? 0 : post_unpack(r, &plain);
}

bool body_is_large(const struct request *r)
{
	return r->body.len > BODY_LARGE || r->plain.len > BODY_LARGE;
}

int body_read(struct request *r)
{
	if (client_is_other(r))
		return others_read(r);
	return r->route->kind == ROUTE_BATCH ? batch_read(r) : post_read(r);
}
