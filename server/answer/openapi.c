/* The description of the API, docs/schema/openapi-v1.json, as it was built in. */
#include "server/answer/get.h"
#include "server/answer/openapi_text.h"
#include "server/page/frame.h"

#include "lib/base/banned.h"

int get_openapi(struct request *r, struct err *err)
{
	static const char *const none[] = { NULL };
	struct buf text = BUF_INIT;
	size_t i;
	int result;

	if (get_only(r, none, err))
		return -1;
	for (i = 0; openapi_text[i]; i++)
		buf_adds(&text, openapi_text[i]);
	result = buf_check(&text, err) || frame_asset(r, NULL, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}
