/*
 * commands - the table.
 */
#include "cli/command.h"
#include "cli/hyperfine/rows.h"

#include "lib/base/banned.h"

#define TALKING "json quiet verbose color "
#define MEASURING "runs min-time threshold confidence seed build built no-build project "

#define FORMAT_LINE(name, description) "  " #name ": " description "\n"

const struct option_help option_helps[] = {
	{ "accept", "all", "every benchmark that regressed, each with its size" },
	{ "accept", "benchmark", "this benchmark; NAME* is all that start with NAME" },
	{ "accept", "list", "show what is accepted and change nothing" },
	{ "backfill", "again", "also the commits that failed before" },
	{ "backfill", "budget", "stop after this long; the same command goes on" },
	{ "backfill", "matrix", "N: print N parts as JSON, for a CI matrix" },
	{ "bisect", "benchmark", "which benchmark moved" },
	{ "bisect", "json", "print the bisection as JSON and nothing else" },
	{ "bisect", "list", "show the bisections that are kept" },
	{ "bisect", "metric", "which one decides; default: cpu, or wall if it waits" },
	{ "calibrate", "json", "print the calibrations as JSON and nothing else" },
	{ "calibrate", "list", "show what was found so far; measure nothing" },
	{ "collect", "benchmark", "the one to draw with --plot or --svg" },
	{ "collect", "metric", "which one decides; default: cpu, or wall if it waits" },
	{ "compare", "branch", "the head's branch, if HEAD is not on it" },
	{ "compare", "metric", "which one decides; default: cpu, or wall if it waits" },
	{ "doctor", "json", "print the findings as JSON and nothing else" },
	{ "export", "dry-run", "print the requests, and send nothing" },
	{ "export", "format", "one of those below" },
	{ "history", "format", "text, json, csv, svg, html; of a list text or json" },
	{ "history", "json", "print the points as JSON and nothing else" },
	{ "import", "format", "google, go, ...; recognised by content if left out" },
	{ "init", "dry-run", "print the file and write nothing" },
	{ "publish", "commit", "with --file: the full id of its commit" },
	{ "publish", "dry-run", "print what would be sent, and send nothing" },
	{ "publish", "file", "publish this summary instead of the last comparison" },
	{ "publish", "json", "with --dry-run: print one JSON document" },
	{ "publish", "label", "name of this job: each job has its own comment" },
	{ "publish", "to", "github, gitlab or gitea" },
	{ "push", "branch", "with --file: the branch to file it under" },
	{ "push", "commit", "with --file: the full id of its commit" },
	{ "push", "project", "with --file: the project it must belong to" },
	{ "report", "format", "one of those below" },
	{ "report", "benchmark", "the one to draw with --plot or --svg" },
	{ "why", "benchmark", "which one; not needed if there is only one" },
	{ "why", "format", "text, json, html or svg" },
	{ "why", "json", "print functions and lines as JSON and nothing else" },
	{ "why", "svg", "also write a picture of the functions" },
	{ NULL, NULL, NULL },
};

const struct option_own option_owns[] = {
	{ "hyperfine", hyperfine_rows },
	{ NULL, NULL },
};

const struct command commands[] = {
	{ "init", "[OPTION...] [-- COMMAND...]",
	  "Find the benchmarks of a repository and write .pawlconfig.",
	  "Builds HEAD, asks CTest and Meson for benchmarks, and looks for executables\n"
	  "that are linked to libpawl or google-benchmark or are called bench.\n"
	  "With a COMMAND it writes a section for that one alone.\n",
	  "quiet verbose build project submodules dry-run", NULL, true, cmd_init },
	{ "compare", "[OPTION...] [BASE[..HEAD]] [-- COMMAND...]",
	  "Run two commits, builds or commands side by side, and judge.",
	  "The default is HEAD~1..HEAD. Both are built beside the work tree.\n",
	  TALKING
	  "min-time threshold confidence seed build project format output plot svg "
	  "benchmark strict runs pairs quick budget measure-identical layouts "
	  "working-tree submodules rebuild explain explain-build work bisect reuse write porcelain "
	  "metric branch committed "
	  "base-bin base-build base-cmd base-env head-bin head-build head-cmd head-env matrix "
	  "shell "
	  "prepare cleanup stdin warmup wait",
	  "bisect branch color committed confidence explain explain-build layouts metric min-time "
	  "plot "
	  "porcelain "
	  "project "
	  "rebuild reuse runs seed submodules svg wait work",
	  true, cmd_compare },
	{ "collect", "[OPTION...] [-- COMMAND...]",
	  "Measure HEAD, compare with the previous commit, store and post.",
	  "Without COMMAND the benchmarks of .pawlconfig are run, 12 to 400 times.\n"
	  "Executables of the previous commit that are in the cache run side by side with\n"
	  "the new ones. Nothing is posted unless a server is named:\n"
	  "  git config pawl.server URL      and PAWL_TOKEN or a git credential helper\n",
	  TALKING MEASURING
	  "format output plot svg benchmark strict server no-push require-push since-tag "
	  "budget write shard shard-group porcelain metric wait",
	  NULL, true, cmd_collect },
	{ "report", "[OPTION...] [COMMIT | A..B]",
	  "Show stored results: of HEAD, of a commit, or of a range.",
	  "What 'pawl compare' found is kept for a while: of A..B it is shown first, as are\n"
	  "two imported results, side by side.\n"
	  "Formats:\n" RENDER_FORMATS(FORMAT_LINE),
	  TALKING "format output plot svg benchmark strict project write porcelain last", NULL,
	  false, cmd_report },
	{ "history", "[OPTION...] [BENCHMARK [COMMIT | A..B]]",
	  "Show one benchmark over the commits, and which of them moved it.",
	  "Without BENCHMARK all that have results are listed.\n"
	  "Formats: text, svg, html, json, csv.\n",
	  "json quiet verbose color format output html limit metric machine strict project", NULL,
	  false, cmd_history },
	{ "site", "DIR [COMMIT | A..B] [OPTION...]",
	  "Write a static site with the history of every benchmark.",
	  "DIR gets an index with a small picture and the last change of each benchmark, a\n"
	  "page for each, and the report of the newest result. They need no server, run no\n"
	  "script and fetch nothing: open DIR/index.html, or publish the folder.\n",
	  "quiet color limit machine metric project", NULL, false, cmd_site },
	{ "backfill", "A..B [OPTION...] [-- COMMAND...]",
	  "Measure a range of commits that was never measured.",
	  "Builds commits of the first-parent line beside the work tree and compares each\n"
	  "with its neighbour: what halves a gap, and where something moved, comes first.\n"
	  "What is known is not measured again: after a kill, or a budget, the same command\n"
	  "goes on. 'pawl history' shows the result.\n"
	  "On more machines than one: --slurm, or the parts of --matrix and then --join.\n",
	  "quiet verbose color min-time threshold confidence seed build project output benchmark "
	  "quick budget submodules points tags again layouts part files join matrix slurm "
	  "constraint sbatch",
	  "color confidence seed", true, cmd_backfill },
	{ "hyperfine", "[OPTION...] COMMAND...",
	  "Take hyperfine's command line; run in turns, and judge.",
	  "All are compared with the first. Exits with 0 whatever the verdict is.\n", "", NULL,
	  false, cmd_hyperfine },
	{ "why", "[OPTION...] [A..B] [-- COMMAND...]",
	  "Show which functions and lines make a difference.",
	  "Builds both commits (HEAD~1..HEAD unless said) and counts the instructions of\n"
	  "one benchmark by function and, with debug information (-g), by line. Needs\n"
	  "valgrind and no counters of the machine.\n",
	  TALKING "benchmark build format output svg html project submodules", NULL, true,
	  cmd_why },
	{ "bisect", "GOOD BAD --benchmark NAME [OPTION...] [-- COMMAND...]",
	  "Find the commit that moved a benchmark.",
	  "GOOD..BAD may be written too. Commits between them are built beside the work\n"
	  "tree and compared with GOOD until one is left, or a range where the data do not\n"
	  "tell. After a kill, the same command goes on where it was.\n",
	  TALKING "min-time threshold confidence build project benchmark quick budget submodules "
		  "strict list reset steps layouts metric",
	  NULL, true, cmd_bisect },
	{ "accept", "COMMIT -b NAME|--all --because TEXT [OPTION...] | --list",
	  "Accept a regression of one commit, so that gates let it pass.",
	  "It is written to .pawlaccepted; commit that file. NAME may end with '*'. Without\n"
	  "--change the size is that of the commit's stored result.\n",
	  "all benchmark because change list output project quiet", NULL, false, cmd_accept },
	{ "calibrate", "[OPTION...] [-- COMMAND...]",
	  "Find out which changes can be detected on this machine.",
	  "Builds HEAD and compares every benchmark with a copy of itself, ten times, and\n"
	  "once with other layouts of itself. The rate of false verdicts, the smallest\n"
	  "effect that can be found and what layouts do are kept, and are shown beside\n"
	  "later verdicts of 'pawl compare'.\n",
	  TALKING "min-time threshold confidence seed build project output benchmark runs quick "
		  "times list reset layouts",
	  NULL, true, cmd_calibrate },
	{ "doctor", "[OPTION...]", "Check this repository and machine; suggest fixes.",
	  "Looks at the repository, its configuration, store, queue, server and hook, and\n"
	  "at what this machine can measure and what will add noise. Changes nothing.\n",
	  "json quiet color output server project", NULL, false, cmd_doctor },
	{ "hook", "install|uninstall|status [OPTION...]",
	  "Install the git hook that compares what you push.",
	  "'pawl hook run EVENT' is what the hook itself calls. pawl.hook.block, .budget,\n"
	  ".enabled and .ignored of 'git config' say what it does. PAWL=0 git push skips it\n"
	  "once.\n",
	  "post-commit quiet output", NULL, false, cmd_hook },
	{ "import", "[OPTION...] FILE...",
	  "Store results of other harnesses as results of a commit.",
	  "FILE is what google-benchmark, go test, hyperfine, Criterion, Catch2, nanobench,\n"
	  "perf stat or callgrind wrote, or JUnit, BMF or LNT text; - is standard input.\n"
	  "The same file twice for one commit is stored once.\n",
	  "json quiet verbose color format commit output project server no-push", NULL, false,
	  cmd_import },
	{ "push", "[OPTION...]", "Post what is still queued for the results server.", NULL,
	  "quiet server wait require-push again all file commit project branch", NULL, false,
	  cmd_push },
	{ "publish", "--to NAME [OPTION...]",
	  "Write a comparison as a comment on a pull request, or update it.",
	  "There is one comment; a later comparison takes its place. The token comes from\n"
	  "PAWL_PUBLISH_TOKEN, or GITHUB_TOKEN, GITLAB_TOKEN, GITEA_TOKEN, or a file.\n",
	  "author color commit dry-run file json label link number picture quiet repository "
	  "status to token-file url wait",
	  NULL, false, cmd_publish },
	{ "export", "--format NAME [OPTION...] [COMMIT | A..B]",
	  "Write or post stored results for another tracker.",
	  "With --to each result is one request; a token comes from PAWL_EXPORT_TOKEN or a\n"
	  "git credential helper, and PAWL_TOKEN goes to the results server alone.\n"
	  "Formats:\n"
	  "  json: summary documents, one a line\n"
	  "  csv: one row a metric\n"
	  "  benchstat, google, github-action-benchmark: what these read from files\n"
	  "  bencher, codespeed, influx, lnt, pushgateway: files, and posted with --to\n",
	  "quiet color format to dry-run output project", NULL, false, cmd_export },
	{ "fsck", "[OPTION...]", "Check the local store; repair it.", NULL, "quiet repair", NULL,
	  false, cmd_fsck },
	{ "completion", "bash|zsh|fish [OPTION...]", "Print the completion script of a shell.",
	  "Installed with pawl. To have it without an installation, for example in bash:\n"
	  "  eval \"$(pawl completion bash)\"\n"
	  "'pawl completion benchmarks' and 'machines' print the names known here.\n",
	  "output", NULL, false, cmd_completion },
	{ "token", "add|list|revoke [OPTION...] [ID]",
	  "Manage the tokens of a results server, on the server's machine.",
	  "  pawl token add --store sqlite:results.db --project zlib --scope write\n"
	  "prints a new token once; only its digest is kept.\n",
	  "store project scope label expires untrusted", NULL, false, cmd_token },
	{ NULL, NULL, NULL, NULL, NULL, NULL, false, NULL },
};
