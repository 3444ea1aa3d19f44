#include "server/migrate_cmd.h"

#include <inttypes.h>

#include "lib/store/move/move.h"

#include "lib/base/banned.h"

int migrate_command(int argc, char **argv, struct buf *out, struct err *err)
{
	struct move_counts n;

	if (argc != 2 || argv[0][0] == '-' || argv[1][0] == '-') {
		err_set(err, ERR_USAGE, "two stores are needed: from where, and to where");
		return err_hint(err, "for example pawld migrate sqlite:results.db "
				     "postgresql://pawl@db.example.org/pawl");
	}
	if (ledger_move(argv[0], argv[1], &n, err))
		return -1;
	buf_addf(out,
		 "copied %" PRId64 " rows: %" PRId64 " summaries, whose digests fit, %" PRId64
		 " points, and %" PRId64 " histories, which are the same\n",
		 n.n_rows, n.n_documents, n.n_points, n.n_histories);
	if (n.n_dropped)
		buf_addf(out, "%" PRId64 " summaries have no document any longer, there as here\n",
			 n.n_dropped);
	return buf_check(out, err);
}
