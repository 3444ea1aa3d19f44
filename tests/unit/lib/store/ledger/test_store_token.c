/* Tokens: only the whole text opens, and only while it is valid. */
#include "tests/unit/store_fixture.h"

#include "lib/base/when.h"
#include "lib/store/ledger/ledger.h"

struct place {
	char *dir, *path;
	struct ledger *l;
};

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	char where[256];

	assert_non_null(p);
	p->dir = new_folder();
	p->path = path_in(p->dir, "ledger.db");
	snprintf(where, sizeof(where), "sqlite:%s", p->path);
	assert_int_equal(ledger_open(where, LEDGER_WRITE, &p->l, NULL), 0);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	ledger_close(p->l);
	file_remove_tree(p->dir, NULL);
	free(p->dir);
	free(p->path);
	free(p);
	return 0;
}

static char *make(struct ledger *l, const char *project, unsigned scopes, int64_t expires_us)
{
	struct buf text = BUF_INIT;

	assert_int_equal(ledger_token_add(l, project, scopes, false, "ci", expires_us, &text, NULL),
			 0);
	return buf_detach(&text);
}

static bool opens(struct ledger *l, const char *text)
{
	struct token_info t;
	struct err err = ERR_INIT;

	if (!ledger_token_find(l, text, &t, &err)) {
		token_info_release(&t);
		return true;
	}
	assert_int_equal(err.code, ERR_ABSENT);
	assert_null(strstr(err.text, text[0] ? text : "nothing"));
	return false;
}

static void token_has_its_form_and_is_kept_as_a_digest_only(void **state)
{
	struct place *p = *state;
	char *text = make(p->l, "zlib", SCOPE_WRITE, 0);
	struct buf file = BUF_INIT;
	struct token_info t;
	size_t i;

	assert_int_equal(strlen(text), 63);
	assert_memory_equal(text, "pawl_s_", 7);
	assert_int_equal(text[19], '_');
	assert_int_equal(ledger_token_find(p->l, text, &t, NULL), 0);
	assert_string_equal(t.project, "zlib");
	assert_string_equal(t.label, "ci");
	assert_int_equal(t.scopes, SCOPE_WRITE);
	assert_memory_equal(t.id, text + 7, 12);
	token_info_release(&t);
	ledger_close(p->l);
	p->l = NULL;
	assert_int_equal(file_read_whole(p->path, 1 << 24, &file, NULL), 0);
	for (i = 0; i + 43 <= file.len; i++)
		assert_true(memcmp(file.data + i, text + 20, 43) != 0);
	buf_release(&file);
	free(text);
}

static void any_other_text_does_not_open(void **state)
{
	struct place *p = *state;
	char *text = make(p->l, "zlib", SCOPE_WRITE, 0);
	char *other = make(p->l, "zlib", SCOPE_WRITE, 0);
	size_t i;

	assert_true(opens(p->l, text));
	for (i = 0; i < strlen(text); i++) {
		char held = text[i];

		text[i] = held == 'q' ? 'r' : 'q';
		assert_false(opens(p->l, text));
		text[i] = held;
	}
	/* One token's id with another's secret. */
	memcpy(other + 7, text + 7, 12);
	assert_false(opens(p->l, other));
	assert_false(opens(p->l, ""));
	text[62] = '\0';
	assert_false(opens(p->l, text));
	free(text);
	free(other);
}

static void expired_and_revoked_tokens_do_not_open(void **state)
{
	struct place *p = *state;
	char *text = make(p->l, "zlib", SCOPE_WRITE, when_now_us() + 3600000000);
	char *past = make(p->l, "zlib", SCOPE_WRITE, when_now_us() - 1);
	struct err err = ERR_INIT;
	char id[13] = "";

	assert_false(opens(p->l, past));
	assert_true(opens(p->l, text));
	memcpy(id, text + 7, 12);
	assert_int_equal(ledger_token_revoke(p->l, id, NULL), 0);
	assert_false(opens(p->l, text));
	assert_int_equal(ledger_token_revoke(p->l, id, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	free(text);
	free(past);
}

static void list_shows_every_token_without_its_secret(void **state)
{
	struct place *p = *state;
	struct token_info *list;
	size_t n;

	free(make(p->l, "zlib", SCOPE_WRITE, 0));
	free(make(p->l, NULL, SCOPE_ADMIN, 0));
	assert_int_equal(ledger_token_list(p->l, &list, &n, NULL), 0);
	assert_int_equal(n, 2);
	assert_string_equal(list[0].project, "zlib");
	assert_null(list[1].project);
	token_info_release(&list[0]);
	token_info_release(&list[1]);
	free(list);
}

static void scope_words_are_read_and_written(void **state)
{
	struct buf out = BUF_INIT;
	unsigned scopes = 0;

	(void)state;
	assert_true(scopes_parse("write,read", &scopes));
	assert_int_equal(scopes, SCOPE_READ | SCOPE_WRITE);
	scopes_print(scopes, &out);
	assert_string_equal(out.data, "read,write");
	assert_true(scopes_parse("admin", &scopes));
	assert_false(scopes_parse("", &scopes));
	assert_false(scopes_parse("write,", &scopes));
	assert_false(scopes_parse("writer", &scopes));
	assert_false(scopes_parse("writ", &scopes));
	buf_release(&out);
}

static void token_allows_its_scope_in_its_project_only(void **state)
{
	char project[] = "zlib";
	struct token_info t = { .project = project, .scopes = SCOPE_WRITE };

	(void)state;
	assert_true(token_allows(&t, SCOPE_WRITE, "zlib"));
	assert_false(token_allows(&t, SCOPE_READ, "zlib"));
	assert_false(token_allows(&t, SCOPE_WRITE, "zli"));
	t.scopes = SCOPE_ADMIN;
	assert_true(token_allows(&t, SCOPE_READ, "zlib"));
	assert_false(token_allows(&t, SCOPE_READ, "other"));
	t.project = NULL;
	assert_true(token_allows(&t, SCOPE_READ, "other"));
}

#define ONE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(token_has_its_form_and_is_kept_as_a_digest_only),
		ONE(any_other_text_does_not_open),
		ONE(expired_and_revoked_tokens_do_not_open),
		ONE(list_shows_every_token_without_its_secret),
		ONE(scope_words_are_read_and_written),
		ONE(token_allows_its_scope_in_its_project_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
