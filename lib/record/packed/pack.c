#include "lib/record/packed/pack.h"

#include <string.h>

#include "lib/digest/crc.h"
#include "lib/record/packed/bytes.h"
#include "lib/record/packed/fields.h"
#include "lib/record/packed/preamble.h"
#include "lib/squeeze/squeeze.h"

#include "lib/base/banned.h"

struct packing {
	struct texts texts;
	struct shared shared;
	struct buf head, directory, rows, texts_bytes;
};

static void packing_release(struct packing *p)
{
	texts_release(&p->texts);
	shared_release(&p->shared);
	buf_release(&p->head);
	buf_release(&p->directory);
	buf_release(&p->rows);
	buf_release(&p->texts_bytes);
}

/* A column of one value over and over takes fewer bytes than a reference. */
static int note(struct shared *shared, const double *x, size_t n, struct err *err)
{
	size_t i;

	for (i = 1; i < n && x[i] == x[0]; i++)
		;
	return i < n ? shared_note(shared, x, n, err) : 0;
}

static int note_columns(const struct summary *s, struct shared *shared, struct err *err)
{
	size_t i, k;

	for (i = 0; s->n_benchmarks > 1 && i < s->n_benchmarks; i++) {
		const struct bench *b = &s->benchmarks[i];

		for (k = 0; k < b->n_tracks; k++)
			if (note(shared, b->tracks[k].head, b->tracks[k].n_head, err) ||
			    note(shared, b->tracks[k].base, b->tracks[k].n_base, err))
				return -1;
	}
	return 0;
}

static int pack_row(struct packing *p, struct bench *b, struct err *err)
{
	struct codec row = {
		.out = &p->rows, .texts = &p->texts, .shared = &p->shared, .err = err
	};
	struct codec entry = { .out = &p->directory, .texts = &p->texts, .err = err };
	size_t start = p->rows.len;

	codec_name(&entry, b->name);
	fields_of_bench(&row, b);
	if (codec_end(&row) || codec_end(&entry))
		return -1;
	bytes_add(&p->directory, p->rows.len - start);
	bytes_add_fixed(&p->directory, crc64(0, p->rows.data + start, p->rows.len - start));
	return 0;
}

/* The texts smaller where that can be had. */
static void pack_texts(struct packing *p)
{
	if (!squeeze(p->texts.bytes.data, p->texts.bytes.len, &p->texts_bytes))
		buf_add(&p->texts_bytes, p->texts.bytes.data, p->texts.bytes.len);
}

static int join(struct packing *p, size_t n_rows, struct buf *out, struct err *err)
{
	const struct preamble preamble = { p->head.len,	       p->directory.len,   n_rows,
					   p->texts_bytes.len, p->texts.bytes.len, p->texts.n,
					   p->shared.bytes.len };
	size_t start = out->len;

	if (buf_check(&p->head, err) || buf_check(&p->directory, err) || buf_check(&p->rows, err) ||
	    buf_check(&p->texts_bytes, err) || buf_check(&p->shared.bytes, err))
		return -1;
	preamble_write(&preamble, out);
	buf_add(out, p->head.data, p->head.len);
	buf_add(out, p->directory.data, p->directory.len);
	buf_add(out, p->texts_bytes.data, p->texts_bytes.len);
	buf_add(out, p->shared.bytes.data, p->shared.bytes.len);
	preamble_end(out, start);
	buf_add(out, p->rows.data, p->rows.len);
	return buf_check(out, err);
}

int summary_pack(const struct summary *s, struct buf *out, struct err *err)
{
	struct packing p = { TEXTS_INIT, SHARED_INIT, BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT };
	struct codec head = { .out = &p.head, .texts = &p.texts, .err = err };
	struct summary copy = *s; /* a codec that writes changes nothing */
	int result = -1;
	size_t i;

	if (s->n_benchmarks > SUMMARY_MAX_BENCHMARKS) {
		err_set(err, ERR_LIMIT, "a result has %zu benchmarks of at most %d",
			s->n_benchmarks, SUMMARY_MAX_BENCHMARKS);
		goto out;
	}
	if (note_columns(s, &p.shared, err))
		goto out;
	fields_of_head(&head, &copy);
	if (codec_end(&head))
		goto out;
	for (i = 0; i < s->n_benchmarks; i++)
		if (pack_row(&p, &copy.benchmarks[i], err))
			goto out;
	pack_texts(&p);
	result = join(&p, s->n_benchmarks, out, err);
out:
	packing_release(&p);
	return result;
}
