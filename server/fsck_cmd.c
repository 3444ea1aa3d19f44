#include "server/fsck_cmd.h"

#include <inttypes.h>
#include <string.h>

#include "lib/store/fsck/fsck.h"

#include "lib/base/banned.h"

static int read_options(int argc, char **argv, const char **store, bool *repair, struct err *err)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--repair"))
			*repair = true;
		else if (!strncmp(argv[i], "--store=", 8))
			*store = argv[i] + 8;
		else if (!strcmp(argv[i], "--store") && i + 1 < argc)
			*store = argv[++i];
		else
			return err_set(err, ERR_USAGE, "unexpected '%s'", argv[i]);
	}
	if (*store)
		return 0;
	err_set(err, ERR_USAGE, "--store is missing");
	return err_hint(err, "for example --store sqlite:/var/lib/pawl/pawl.db");
}

static void tell(const struct ledger_health *h, bool repair, struct buf *out)
{
	buf_addf(out,
		 "%" PRId64 " summaries, %" PRId64 " points: %" PRId64 " documents and %" PRId64
		 " points damaged",
		 h->n_summaries, h->n_points, h->n_bad_documents, h->n_bad_points);
	if (h->n_dropped)
		buf_addf(out, ", %" PRId64 " documents not kept any longer", h->n_dropped);
	if (h->n_bad_chunks)
		buf_addf(out, ", %" PRId64 " pieces of histories damaged", h->n_bad_chunks);
	if (h->n_lost)
		buf_addf(out, ", %" PRId64 " summaries have lost something", h->n_lost);
	if (h->n_found_again)
		buf_addf(out, ", %" PRId64 " of it made again", h->n_found_again);
	if (repair)
		buf_addf(out, ", %" PRId64 " points repaired", h->n_repaired);
	if (h->n_mended_chunks)
		buf_addf(out, ", %" PRId64 " pieces of histories repaired", h->n_mended_chunks);
	buf_addc(out, '\n');
}

int fsck_command(int argc, char **argv, struct buf *out, bool *out_well, struct err *err)
{
	struct ledger_health h = { .n_summaries = 0 };
	const char *store = NULL;
	struct ledger *l = NULL;
	bool repair = false;
	int result;

	if (read_options(argc, argv, &store, &repair, err) ||
	    ledger_open(store, repair ? LEDGER_CHANGE : LEDGER_READ, &l, err))
		return -1;
	result = ledger_fsck(l, repair, &h, out, err);
	ledger_close(l);
	if (result)
		return -1;
	tell(&h, repair, out);
	*out_well = !h.n_faults && !h.n_bad_documents && h.n_found_again == h.n_lost &&
		    h.n_repaired == h.n_bad_points && h.n_mended_chunks == h.n_bad_chunks;
	return buf_check(out, err);
}
