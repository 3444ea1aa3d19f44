#include "lib/record/packed/preamble.h"

#include <string.h>

#include "lib/digest/crc.h"
#include "lib/record/packed/bytes.h"
#include "lib/record/packed/pack.h"

#include "lib/base/banned.h"

#define MAGIC "pwlp"
#define N_LENGTHS 7

void preamble_write(const struct preamble *f, struct buf *out)
{
	buf_add(out, MAGIC, 4);
	buf_addc(out, PACK_VERSION);
	buf_addc(out, (char)~PACK_VERSION);
	bytes_add(out, f->head);
	bytes_add(out, f->directory);
	bytes_add(out, f->n_rows);
	bytes_add(out, f->texts);
	bytes_add(out, f->full_texts);
	bytes_add(out, f->n_texts);
	bytes_add(out, f->shared);
}

void preamble_end(struct buf *out, size_t start)
{
	if (!out->failed)
		bytes_add_fixed(out, crc64(0, out->data + start, out->len - start));
}

static int broken(struct err *err)
{
	return err_set(err, ERR_CORRUPT, "a packed result is damaged: its checksum does not fit");
}

static int check_version(const unsigned char *bytes, size_t n, struct err *err)
{
	if (n < 6 || memcmp(bytes, MAGIC, 4) || (bytes[4] ^ bytes[5]) != 255)
		return broken(err);
	if (bytes[4] == PACK_VERSION)
		return 0;
	err_set(err, ERR_NEWER, "a result is packed in version %d, this pawl reads %d", bytes[4],
		PACK_VERSION);
	return err_hint(err, "use the pawl that wrote it, or a newer one");
}

int preamble_read(const unsigned char *bytes, size_t n, struct preamble *out,
		  const unsigned char **out_head, const unsigned char **out_rows, struct err *err)
{
	const unsigned char *end = bytes + n, *p = bytes + 6, *head;
	uint64_t lengths[N_LENGTHS] = { 0 }, crc = 0, size;
	size_t i;

	if (check_version(bytes, n, err))
		return -1;
	for (i = 0; i < N_LENGTHS; i++)
		p = bytes_get(p, end, &lengths[i]);
	/* Lengths before counts: no sum of them can be more than 2^64. */
	for (i = 0; p && i < N_LENGTHS; i++)
		if (lengths[i] > (i == 4 ? SIZE_MAX / 2 : n))
			return broken(err);
	if (!p)
		return broken(err);
	head = p;
	size = lengths[0] + lengths[1] + lengths[3] + lengths[6];
	if (size > (size_t)(end - p))
		return broken(err);
	p = bytes_get_fixed(p + size, end, &crc);
	if (!p || crc != crc64(0, bytes, (size_t)(p - 8 - bytes)))
		return broken(err);
	*out = (struct preamble){ (size_t)lengths[0], (size_t)lengths[1], (size_t)lengths[2],
				  (size_t)lengths[3], (size_t)lengths[4], (size_t)lengths[5],
				  (size_t)lengths[6] };
	*out_head = head;
	*out_rows = p;
	return 0;
}
