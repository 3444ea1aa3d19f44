#include "collector/extent/names.h"

#include <string.h>

#include "collector/link/link.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

static char *finish(struct buf *text, struct err *err)
{
	char *name = buf_check(text, err) ? NULL : buf_detach(text);

	buf_release(text);
	return name;
}

/* Of "KEY/links/TIME-PID.d/0-ccAbCdEf.o", a copy of what the driver deletes, the number. */
static const char *number_of_copy(const char *path, const char *top)
{
	const char *rest = str_below(path, top);

	return rest && str_starts(rest, LAYOUT_LINKS "/") ? path_base(path) : NULL;
}

static void add_path(const char *top, const char *path, struct buf *out)
{
	const char *copy = number_of_copy(path, top), *rest = str_below(path, top);

	if (copy)
		buf_addf(out, "passing %.*s", (int)strcspn(copy, "-"), copy);
	else
		buf_adds(out, rest ? rest : path);
}

char *names_of_object(const char *top, const char *folder, const char *file, const char *member,
		      struct err *err)
{
	struct buf path = BUF_INIT, name = BUF_INIT;

	buf_addf(&path, "%s%s%s", *file == '/' ? "" : folder, *file == '/' ? "" : "/", file);
	add_path(top, buf_str(&path), &name);
	if (member)
		buf_addf(&name, ":%s", member);
	name.failed = name.failed || path.failed;
	buf_release(&path);
	return finish(&name, err);
}

char *names_of_word(const char *top, const char *word, struct err *err)
{
	const char *at = strstr(word, top);
	struct buf name = BUF_INIT;

	if (at) {
		buf_add(&name, word, (size_t)(at - word));
		add_path(top, at, &name);
	} else {
		buf_adds(&name, word);
	}
	return finish(&name, err);
}
