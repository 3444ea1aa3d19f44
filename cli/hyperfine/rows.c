#include "cli/hyperfine/rows.h"

#include <string.h>

#include "lib/base/banned.h"

const struct option_row hyperfine_rows[] = {
	{ "warmup", 'w', "NUM", "runs of each before the first that counts" },
	{ "min-runs", 'm', "NUM", "at least this many runs of each" },
	{ "max-runs", 'M', "NUM", "at most this many" },
	{ "runs", 'r', "NUM", "exactly this many" },
	{ "setup", 's', "CMD", "run this once, before all runs" },
	{ "prepare", 'p', "CMD", "before each run; once, or once for each command" },
	{ "conclude", 'C', "CMD", "after each run; likewise" },
	{ "cleanup", 'c', "CMD", "run this once, after all runs" },
	{ "parameter-scan", 'P', "VAR MIN MAX", "{VAR} is each number" },
	{ "parameter-step-size", 'D', "STEP", "of --parameter-scan; the default is 1" },
	{ "parameter-list", 'L', "VAR A,B", "{VAR} is each of these; more than once" },
	{ "command-name", 'n', "NAME", "what a command is called; in their order" },
	{ "reference", 0, "CMD", "what all others are compared with" },
	{ "shell", 'S', "SHELL", "run all by this shell, or by none" },
	{ "no-shell", 'N', NULL, "the same as --shell=none" },
	{ "ignore-failure", 'i', NULL, "runs may exit with any status" },
	{ "input", 0, "FILE", "what each run reads; the default is null" },
	{ "output", 0, "WHERE", "pipe, as is the default" },
	{ "style", 0, "TYPE", "auto, basic, full, nocolor, color or none" },
	{ "time-unit", 'u', "UNIT", "microsecond, millisecond or second" },
	{ "export-json", 0, "FILE", "write all runs, as hyperfine does" },
	{ "export-csv", 0, "FILE", "write the figures, as hyperfine does" },
	{ "export-markdown", 0, "FILE", "write a table, as hyperfine does" },
	{ "export-asciidoc", 0, "FILE", "likewise" },
	{ "export-orgmode", 0, "FILE", "likewise" },
	{ "export-pawl", 0, "FILE", "write pawl's own summary document" },
	{ "version", 'V', NULL, "show the version" },
	{ "help", 'h', NULL, "show this help" },
	{ NULL, 0, NULL, NULL },
};

const char *hyperfine_instead(const char *name)
{
	static const struct {
		const char *name, *instead;
	} others[] = {
		{ "show-output", "run the command by itself to see what it prints; why one failed "
				 "is shown" },
		{ "sort", "the order is that of the command line; of the file: "
			  "jq '.results |= sort_by(.mean)'" },
		{ "min-benchmarking-time", "say how many runs: --min-runs" },
		{ "reference-name", "put the reference first and name it with --command-name" },
		{ "debug-mode",
		  "'pawl compare --base-cmd ... --head-cmd ... --verbose' says more" },
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(others[i].name, name))
			return others[i].instead;
	return NULL;
}
