/*
 * commands - the table.
 */
#include "cli/command.h"

#include "lib/base/banned.h"

#define TALKING "json quiet verbose color "
#define MEASURING "runs min-time threshold confidence seed build no-build project "

const struct command commands[] = {
	{ "collect", "[OPTION...] [-- COMMAND...]",
	  "Measure HEAD's benchmarks, compare with the previous commit, store and post the result.",
	  "Without COMMAND the benchmarks of .pawlconfig are run, each 20 to 30 times. The\n"
	  "executables of the previous commit are run side by side with the new ones where the\n"
	  "cache still has them. Nothing is posted unless a server is named:\n"
	  "  git config pawl.server URL      and PAWL_TOKEN or a git credential helper\n",
	  TALKING MEASURING "format output plot svg benchmark strict server no-push require-push",
	  true, cmd_collect },
	{ "report", "[OPTION...] [COMMIT | A..B]",
	  "Show stored results: of HEAD, of a commit, or of every commit between two.", NULL,
	  TALKING "format output plot svg benchmark strict project", false, cmd_report },
	{ "push", "[OPTION...]", "Post what is still queued for the results server.", NULL,
	  "quiet server wait require-push", false, cmd_push },
	{ "fsck", "[OPTION...]", "Check the local store; salvage what is intact.", NULL,
	  "quiet repair", false, cmd_fsck },
	{ "token", "add|list|revoke [OPTION...] [ID]",
	  "Manage the tokens of a results server, on the server's machine.",
	  "  pawl token add --store sqlite:results.db --project zlib --scope write\n"
	  "prints a new token once; only its digest is kept.\n",
	  "store project scope label expires untrusted", false, cmd_token },
	{ NULL, NULL, NULL, NULL, NULL, false, NULL },
};
