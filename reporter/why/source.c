#include "reporter/why/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

void why_sources_release(struct why_sources *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		free(s->v[i].name);
		buf_release(&s->v[i].base);
		buf_release(&s->v[i].head);
		line_map_release(&s->v[i].map);
	}
	free(s->v);
	s->v = NULL;
	s->n = s->cap = 0;
}

/*
 * A regular file inside the tree.  Debug information names it, that is whoever wrote the
 * program: nothing from elsewhere may get into a report.
 */
static void read_inside(const char *top, const char *name, struct buf *out)
{
	struct buf path = BUF_INIT;
	char *real = NULL, *real_top = NULL;
	struct stat st;
	int fd = -1;

	if (!top || name[0] == '/')
		return;
	buf_addf(&path, "%s/%s", top, name);
	real_top = realpath(top, NULL);
	real = path.failed ? NULL : realpath(buf_str(&path), NULL);
	if (real && real_top && str_below(real, real_top))
		fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		file_read_fd(fd, name, WHY_SOURCE_BYTES, out, NULL);
	file_close(&fd);
	free(real);
	free(real_top);
	buf_release(&path);
}

static struct why_file *file_of(struct why_sources *s, const char *name)
{
	struct why_file *f;
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].name, name))
			return &s->v[i];
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 16;
		struct why_file *grown = realloc(s->v, cap * sizeof(*grown));

		if (!grown) {
			s->failed = true;
			return NULL;
		}
		s->v = grown;
		s->cap = cap;
	}
	f = &s->v[s->n];
	memset(f, 0, sizeof(*f));
	f->name = str_dup(name, NULL);
	if (!f->name) {
		s->failed = true;
		return NULL;
	}
	s->n++;
	read_inside(s->why->base.top, name, &f->base);
	read_inside(s->why->head.top, name, &f->head);
	if (f->base.len && f->head.len)
		f->has_map = !line_map_make(f->base.data, f->base.len, f->head.data, f->head.len,
					    &f->map, NULL);
	return f;
}

const struct line_map *why_sources_map(void *ctx, const char *file)
{
	struct why_file *f = file_of(ctx, file);

	return f && f->has_map ? &f->map : NULL;
}

bool why_sources_own(struct why_sources *s, const char *file)
{
	struct why_file *f;

	if (!strcmp(file, PROFILE_UNKNOWN) || file[0] == '/')
		return false;
	if (!s->why->base.top && !s->why->head.top)
		return true;
	f = file_of(s, file);
	return f && (f->base.len || f->head.len);
}

char *why_sources_line(struct why_sources *s, const char *file, bool is_head, unsigned line)
{
	struct why_file *f = line ? file_of(s, file) : NULL;
	const struct buf *text = f ? (is_head ? &f->head : &f->base) : NULL;
	const char *p = text && text->len ? text->data : NULL, *end = p ? p + text->len : NULL;
	const char *stop;
	char *copy;

	while (p && --line) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p && p + 1 < end ? p + 1 : NULL;
	}
	if (!p)
		return NULL;
	stop = memchr(p, '\n', (size_t)(end - p));
	stop = stop ? stop : end;
	while (p < stop && (*p == ' ' || *p == '\t'))
		p++;
	while (stop > p && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
		stop--;
	copy = strndup(p, (size_t)(stop - p));
	s->failed |= !copy;
	return copy;
}
