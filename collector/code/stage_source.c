#include "collector/code/stage_source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

/* Paths differ in their last bytes mostly: the length and one comparison are quick. */
static struct stage_source *find(const struct stage_sources *s, const char *path)
{
	size_t len = strlen(path), i;

	for (i = 0; i < s->n; i++)
		if (s->v[i].path_len == len && !memcmp(s->v[i].path, path, len))
			return &s->v[i];
	return NULL;
}

/*
 * Only the kernel looks at what is mapped, in write(): of a file that was cut off meanwhile it says
 * EFAULT, where we would be killed.
 */
static int map(const char *path, struct stage_source *out, struct err *err)
{
	int fd = file_open(path, err), result = -1;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st)) {
		err_sys(err, ERR_IO, "cannot read '%s'", path);
		goto out;
	}
	out->n = (size_t)st.st_size;
	if (out->n) {
		out->bytes = mmap(NULL, out->n, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
		if (out->bytes == MAP_FAILED) {
			out->bytes = NULL;
			err_sys(err, ERR_IO, "cannot read '%s'", path);
			goto out;
		}
	}
	out->path_len = strlen(path);
	result = str_set(&out->path, path, err);
out:
	file_close(&fd);
	return result;
}

static void source_release(struct stage_source *s)
{
	if (s->bytes)
		munmap(s->bytes, s->n);
	free(s->path);
}

static const struct stage_source *find_or_map(struct stage_sources *s, const char *path,
					      struct err *err)
{
	struct stage_source *grown = find(s, path), new = { NULL, 0, NULL, 0 };

	if (grown)
		return grown;
	if (map(path, &new, err))
		goto fail;
	grown = realloc(s->v, (s->n + 1) * sizeof(*grown));
	if (!grown) {
		err_nomem(err);
		goto fail;
	}
	s->v = grown;
	s->v[s->n] = new;
	return &s->v[s->n++];
fail:
	source_release(&new);
	return NULL;
}

int stage_source_copy(struct stage_sources *s, const char *from, const char *to, struct err *err)
{
	const struct stage_source *source = find_or_map(s, from, err);
	int fd, result;

	if (!source)
		return -1;
	fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0500);
	if (fd < 0)
		return err_sys(err, ERR_IO, "cannot create '%s'", to);
	result = file_write_fd(fd, to, source->bytes, source->n, err);
	file_close(&fd);
	return result;
}

void stage_sources_release(struct stage_sources *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		source_release(&s->v[i]);
	free(s->v);
	*s = (struct stage_sources){ NULL, 0 };
}
