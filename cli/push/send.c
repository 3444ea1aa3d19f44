/*
 * push_send - empties the queue towards the configured server and says how it went.
 */
#include <stdlib.h>

#include "cli/command.h"
#include "lib/base/buf.h"
#include "lib/process/stop.h"
#include "reporter/deliver/credential.h"
#include "reporter/deliver/deliver.h"
#include "reporter/deliver/transport_curl.h"

#include "lib/base/banned.h"

static int deliver(const struct context *c, struct store *store, const char *token,
		   const char *lock_path, uint64_t budget_ns, bool keep_trying,
		   struct delivery *out, struct err *err)
{
	const struct transport_curl_options how = { c->config.insecure_http, 0, 0, &stop_signal };
	struct transport transport;
	struct deliver_options opt = { .transport = &transport,
				       .server = c->config.server,
				       .token = token,
				       .lock_path = lock_path,
				       .budget_ns = budget_ns,
				       .all = true,
				       .keep_trying = keep_trying,
				       .stop = &stop_signal };
	int result;

	if (transport_curl_open(&how, &transport, err))
		return -1;
	result = deliver_queue(store, &opt, c->talk, out, err);
	transport_curl_close(&transport);
	return result;
}

int send_queue(const struct context *c, struct store *store, uint64_t budget_ns, bool keep_trying,
	       size_t *out_left, struct err *err)
{
	struct buf lock = BUF_INIT;
	struct delivery done;
	char *token = NULL;
	int result = -1;

	buf_addf(&lock, "%s/send.lock", c->state_dir);
	if (buf_check(&lock, err) ||
	    credential_token(c->config.token, c->config.server, repo_top(c->repo), &token, err))
		goto out;
	result = deliver(c, store, token, buf_str(&lock), budget_ns, keep_trying, &done, err);
	if (result)
		goto out;
	*out_left = done.left + done.rejected;
	if (done.left || done.rejected)
		talk_warn(c->talk, done.cure[0] ? done.cure : NULL, "%s", done.text);
	else if (done.text[0])
		talk_note(c->talk, "%s", done.text);
out:
	credential_free(token);
	buf_release(&lock);
	return result;
}
