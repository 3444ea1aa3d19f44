#include <stdlib.h>
#include <string.h>

#include "lib/digest/crc.h"
#include "lib/record/packed/bytes.h"
#include "lib/record/packed/fields.h"
#include "lib/record/packed/preamble.h"
#include "lib/record/packed/pack.h"
#include "lib/squeeze/squeeze.h"

#include "lib/base/banned.h"

void packed_release(struct packed *p)
{
	texts_release(&p->texts);
	shared_release(&p->shared);
	free(p->v);
	*p = (struct packed)PACKED_INIT;
}

static int open_texts(const unsigned char *bytes, const struct preamble *f, struct texts *out,
		      struct err *err)
{
	struct buf full = BUF_INIT;

	if (f->texts == f->full_texts)
		buf_add(&full, bytes, f->texts);
	else if (unsqueeze(bytes, f->texts, f->full_texts, &full, err))
		return -1;
	if (buf_check(&full, err))
		return -1;
	return texts_read(&full, f->n_texts, out, err);
}

static int open_directory(const unsigned char *bytes, const struct preamble *f, size_t n_bytes,
			  struct packed *p, struct err *err)
{
	struct codec c = {
		.p = bytes, .end = bytes + f->directory, .texts = &p->texts, .err = err
	};
	size_t at = 0, i;

	if (f->n_rows > SUMMARY_MAX_BENCHMARKS)
		return err_set(err, ERR_CORRUPT, "a packed result is broken: its directory");
	p->v = calloc(f->n_rows + 1, sizeof(*p->v));
	if (!p->v)
		return err_nomem(err);
	for (i = 0; i < f->n_rows && !c.failed; i++) {
		struct packed_row *row = &p->v[i];
		const unsigned char *next;

		row->name = codec_name(&c, NULL);
		row->start = at;
		codec_count(&c, &row->n, n_bytes - at);
		at += row->n;
		next = bytes_get_fixed(c.p, c.end, &row->crc);
		if (next)
			c.p = next;
		else
			codec_broken(&c, "its directory");
	}
	p->n = f->n_rows;
	if (!c.failed && at != n_bytes)
		codec_broken(&c, "its rows");
	return codec_end(&c);
}

int packed_open(const void *bytes, size_t n, struct packed *out, struct err *err)
{
	struct packed p = PACKED_INIT;
	const unsigned char *head = NULL, *at;
	struct preamble f;

	if (preamble_read(bytes, n, &f, &head, &p.rows, err))
		return -1;
	p.head = head;
	p.head_end = head + f.head;
	at = p.head_end + f.directory;
	p.shared.read = at + f.texts;
	p.shared.end = p.shared.read + f.shared;
	if (open_texts(at, &f, &p.texts, err) ||
	    open_directory(p.head_end, &f, n - (size_t)(p.rows - (const unsigned char *)bytes), &p,
			   err)) {
		packed_release(&p);
		return -1;
	}
	*out = p;
	return 0;
}

int packed_head(const struct packed *p, struct summary *out, struct err *err)
{
	struct texts texts = p->texts; /* read only */
	struct codec c = { .p = p->head, .end = p->head_end, .texts = &texts, .err = err };

	summary_init(out);
	fields_of_head(&c, out);
	if (!codec_end(&c))
		return 0;
	summary_release(out);
	return -1;
}

size_t packed_find(const struct packed *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->n && strcmp(p->v[i].name, name); i++)
		;
	return i;
}

int packed_bench(const struct packed *p, size_t i, struct summary *s, struct err *err)
{
	const struct packed_row *row = &p->v[i];
	struct texts texts = p->texts; /* read only, these two */
	struct shared shared = p->shared;
	struct codec c = { .p = p->rows + row->start,
			   .end = p->rows + row->start + row->n,
			   .texts = &texts,
			   .shared = &shared,
			   .err = err };
	struct bench *b;

	if (crc64(0, c.p, row->n) != row->crc)
		return err_set(err, ERR_CORRUPT,
			       "benchmark '%s' is damaged: its checksum does not fit", row->name);
	b = summary_add_bench(s, row->name, err);
	if (!b)
		return -1;
	fields_of_bench(&c, b);
	return codec_end(&c);
}

int summary_unpack(const void *bytes, size_t n, struct summary *out, struct err *err)
{
	struct packed p = PACKED_INIT;
	int result = -1;
	size_t i;

	summary_init(out);
	if (packed_open(bytes, n, &p, err))
		return -1;
	if (packed_head(&p, out, err))
		goto out;
	for (i = 0; i < p.n; i++)
		if (packed_bench(&p, i, out, err))
			goto out;
	result = 0;
out:
	packed_release(&p);
	if (result)
		summary_release(out);
	return result;
}
