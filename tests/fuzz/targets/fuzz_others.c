/* What clients of Codespeed and LNT post: forms, lists of results, reports. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/record/summary.h"
#include "server/others/form.h"
#include "server/others/readers.h"

#include "lib/base/banned.h"

#define MONDAY_US 1763632800000000

/* What is made of it is a summary, or is refused with words. */
static void write_all(const struct told_list *list)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		struct buf text = BUF_INIT, again = BUF_INIT;
		struct err err = ERR_INIT;
		struct summary s;

		if (told_write(&list->v[i], MONDAY_US, &text, &err)) {
			must(*err.text);
		} else {
			must(!told_write(&list->v[i], MONDAY_US, &again, &err));
			must(!strcmp(buf_str(&text), buf_str(&again)));
			if (!summary_decode(text.data, text.len, &s, &err)) {
				fuzz_accept();
				summary_release(&s);
			} else {
				must(*err.text);
			}
		}
		buf_release(&text);
		buf_release(&again);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *raw = fuzz_string(data, n);
	size_t length = strlen(raw);
	struct buf field = BUF_INIT;
	struct told_list list = { .n = 0 };
	struct err err = ERR_INIT;
	struct jtree *root;
	int result;

	if (*raw == '{' || *raw == '[')
		buf_adds(&field, raw);
	else if (form_field(raw, length, "json", &field))
		must(field.len <= length);
	root = jtree_parse(buf_str(&field), field.len, 1 << 20, 16, &err);
	if (root) {
		result = jtree_get(root, "tests") ? lnt_read(root, "zlib", &list, &err)
						  : codespeed_read(root, &list, &err);
		if (result)
			must(*err.text);
		else
			write_all(&list);
	}
	told_list_release(&list);
	jtree_free(root);
	buf_release(&field);
	free(raw);
	return 0;
}
