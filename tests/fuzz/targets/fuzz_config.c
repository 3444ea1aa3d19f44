/* What a committed .pawlconfig makes of the configuration. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/process/proc.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"

#include "lib/base/banned.h"

static char top[] = "/tmp/pawl-fuzz.XXXXXX";
static struct repo *repo;

static void leave(void)
{
	repo_close(repo);
	file_remove_tree(top, NULL);
}

static void enter(void)
{
	char git[] = "git", init[] = "init", quiet[] = "-q";
	char *argv[] = { git, init, quiet, top, NULL };
	int status;

	/* the machine's own settings are no part of the input */
	must(!setenv("GIT_CONFIG_NOSYSTEM", "1", 1) && !setenv("GIT_CONFIG_GLOBAL", "", 1));
	must(mkdtemp(top));
	must(!proc_capture(NULL, argv, 4096, UINT64_MAX, NULL, NULL, &status, NULL) && !status);
	must(!repo_open(top, &repo, NULL));
	atexit(leave);
}

static void hold(const struct config *c)
{
	size_t i;

	must(c->runs_min >= 2 && c->runs_min <= c->runs_max && c->runs_max <= 1000);
	must(c->threshold > 0 && c->threshold <= 1);
	must(c->confidence > 0.5 && c->confidence < 1);
	must(!c->server && !c->token && !c->insecure_http);
	for (i = 0; i < c->n_benchmarks; i++) {
		must(c->benchmarks[i].name && *c->benchmarks[i].name);
		must(c->benchmarks[i].command.n >= 1);
		must(c->benchmarks[i].threshold > 0 && c->benchmarks[i].threshold <= 1);
		must(c->benchmarks[i].format < FORMAT_N);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct err err = ERR_INIT;
	struct config config;
	char path[64];
	FILE *file;

	if (!repo)
		enter();
	snprintf(path, sizeof(path), "%s/.pawlconfig", top);
	file = fopen(path, "wb");
	must(file && fwrite(data, 1, n, file) == n);
	must(!fclose(file));
	if (config_load(repo, NULL, &config, &err)) {
		must(err.code == ERR_CONFIG && fuzz_is_line(err.text));
		must(fuzz_is_line(err.hint));
		return 0;
	}
	fuzz_accept();
	hold(&config);
	config_release(&config);
	return 0;
}
