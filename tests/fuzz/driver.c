/*
 * driver - runs a fuzzer's entry point without libFuzzer: its seeds, then a fixed set of
 * mutations of them, then its seeds while one allocation fails after the other.  Prints TAP; the
 * input that broke it is printed as hex.
 *
 * The work is done in other processes, so that whatever ends one leaves the input behind.  The
 * allocations are those of our own code (the linker's --wrap), not of the libraries that it uses.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "tests/fuzz/fuzz.h"

#include "lib/base/banned.h"

#define INPUT_MAX 65536
#define N_MUTATIONS 10000
#define N_MUTATIONS_SLOW 200000
#define INPUT_SECONDS 60 /* an input that takes longer hangs */
#define N_FAILING 60	 /* allocations of one seed */
#define N_FAILING_SLOW 5000

/* What the parent must know when the child is gone. */
struct shared {
	size_t n_seeds_accepted;
	size_t n_runs;
	size_t n_failed; /* allocations */
	size_t n;
	uint8_t input[INPUT_MAX];
};

static struct shared *shared;
static struct buf *seeds;
static size_t n_seeds;

/* Allocations since the last one that was armed; which of them fails, 0: none, and those behind it,
 * too. */
static size_t n_asked, fail_at;
static bool goes_on;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

static bool fails(void)
{
	bool result = ++n_asked == fail_at || (goes_on && fail_at && n_asked > fail_at);

	if (result)
		errno = ENOMEM;
	return result;
}

void *__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the order of their names, so that the mutations are the same everywhere. */
static int read_seeds(const char *folder, struct err *err)
{
	struct strv names = STRV_INIT;
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int result = 0;
	size_t i;

	if (!dir)
		return err_sys(err, ERR_IO, "cannot open '%s'", folder);
	while (!result && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			result = strv_addf(&names, err, "%s/%s", folder, entry->d_name);
	closedir(dir);
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), compare);
	seeds = calloc(names.n + 1, sizeof(*seeds));
	if (!seeds)
		result = err_nomem(err);
	for (i = 0; !result && i < names.n; i++, n_seeds++)
		result = file_read_whole(names.v[i], INPUT_MAX / 2, &seeds[i], err);
	strv_release(&names);
	return result;
}

/* A copy of just the right size, so that a sanitizer sees a read beyond it. */
static void run(const uint8_t *data, size_t n)
{
	uint8_t *copy = __real_malloc(n ? n : 1);

	must(copy && n <= INPUT_MAX);
	if (n) {
		memcpy(copy, data, n);
		memmove(shared->input, data, n);
	}
	shared->n = n;
	alarm(INPUT_SECONDS);
	LLVMFuzzerTestOneInput(copy, n);
	alarm(0);
	shared->n_runs++;
	free(copy);
}

/* splitmix64: the same numbers on every machine. */
static uint64_t state = 20261120;

static size_t below(size_t n)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return n ? (size_t)(z % n) : 0;
}

static void put(struct buf *out, size_t at, size_t n_gone, const void *bytes, size_t n)
{
	struct buf tail = BUF_INIT;

	buf_add(&tail, out->data + at + n_gone, out->len - at - n_gone);
	buf_truncate(out, at);
	buf_add(out, bytes, n);
	buf_add(out, buf_str(&tail), tail.len);
	buf_release(&tail);
}

static void mutate(struct buf *out)
{
	static const char *const words[] = {
		"0",	    "-1",   "1e308", "9223372036854775807",
		"null",	    "\"\"", "[]",    "{}",
		"\\u0000",  "\x1b", "\\",    "\"",
		"'",	    "%00",  "\xff",  "::",
		"##",	    "\n",   "true",  "1e-400",
		"\xc2\x9b", "=",    "[",     "]",
		"&",	    "/",
	};
	static const uint8_t bytes[] = { 0, 1, 0x20, 0x7f, 0x80, 0xfe, 0xff };
	const struct buf *other = &seeds[below(n_seeds)];
	const char *word = words[below(sizeof(words) / sizeof(words[0]))];
	size_t at = below(out->len + 1), n = below(out->len - at + 1), from = below(other->len + 1);

	switch (below(8)) {
	case 0:
		if (at < out->len)
			out->data[at] ^= (char)(1u << below(8));
		break;
	case 1:
		if (at < out->len)
			out->data[at] = (char)bytes[below(sizeof(bytes))];
		break;
	case 2:
		put(out, at, n, "", 0);
		break;
	case 3:
		put(out, at, 0, word, strlen(word));
		break;
	case 4: /* a word in the place of a few bytes */
		put(out, at, n < 8 ? n : below(8), word, strlen(word));
		break;
	case 5: /* a piece of another seed */
		put(out, at, 0, buf_str(other) + from, below(other->len - from + 1));
		break;
	case 6: /* the end of another seed */
		put(out, at, out->len - at, buf_str(other) + from, other->len - from);
		break;
	default:
		buf_truncate(out, at);
	}
	buf_truncate(out, INPUT_MAX / 2);
}

static void run_mutations(size_t n)
{
	struct buf input = BUF_INIT;
	size_t i, j;

	for (i = 0; i < n; i++) {
		const struct buf *seed = &seeds[below(n_seeds)];

		buf_reset(&input);
		buf_add(&input, buf_str(seed), seed->len);
		for (j = 1 + below(4); j > 0; j--)
			mutate(&input);
		must(!input.failed);
		run((const uint8_t *)input.data, input.len);
	}
	buf_release(&input);
}

static void run_all(size_t n_mutations)
{
	size_t i;

	for (i = 0; i < n_seeds; i++)
		run((const uint8_t *)buf_str(&seeds[i]), seeds[i].len);
	shared->n_seeds_accepted = fuzz_n_accepted;
	run(NULL, 0);
	run_mutations(n_mutations);
}

/* A seed while its k-th allocation fails, or all from there on; whether it ended before its end. */
static bool run_failing(const struct buf *seed, size_t k, bool on)
{
	jmp_buf escape;
	volatile bool escaped = true;

	fuzz_escape = &escape;
	if (!setjmp(escape)) {
		n_asked = 0;
		goes_on = on;
		fail_at = k;
		run((const uint8_t *)buf_str(seed), seed->len);
		escaped = false;
	}
	fail_at = 0;
	fuzz_escape = NULL;
	alarm(0);
	shared->n_failed++;
	return escaped;
}

/* Where a run did not end by itself, nobody can say what is lost. */
static void run_all_failing(size_t most)
{
	bool escaped = false;
	size_t i, k, n, every;

	for (i = 0; i < n_seeds; i++) {
		n_asked = 0;
		run((const uint8_t *)buf_str(&seeds[i]), seeds[i].len);
		n = n_asked;
		every = n / most + 1;
		for (k = 1 + i % every; k <= n; k += every)
			escaped |= run_failing(&seeds[i], k, k / every % 2);
	}
	if (escaped || fuzz_library_leaks)
		_exit(0);
}

static void show_input(int status)
{
	size_t i;

	printf("# ended by %s %d after %zu inputs, at one of %zu bytes:",
	       WIFSIGNALED(status) ? "signal" : "exit status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), shared->n_runs,
	       shared->n);
	for (i = 0; i < shared->n; i++)
		printf("%s%02x", i % 40 ? "" : "\n# ", shared->input[i]);
	printf("\n");
}

/* In a process of its own; how that ended. */
static int aside(void (*work)(size_t n), size_t n)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	must(child >= 0);
	if (!child) {
		work(n);
		exit(0);
	}
	must(waitpid(child, &status, 0) == child);
	return status;
}

int main(int argc, char **argv)
{
	bool slow = getenv("PAWL_TEST_SLOW") != NULL;
	size_t n_mutations = (slow ? N_MUTATIONS_SLOW : N_MUTATIONS) / fuzz_cost, i;
	const char *name = strrchr(argv[0], '/');
	struct err err = ERR_INIT;
	char folder[256];
	int status, failing;

	name = name ? name + 1 : argv[0];
	name += str_starts(name, "test_fuzz_") ? strlen("test_fuzz_") : 0;
	snprintf(folder, sizeof(folder), "tests/fuzz/corpus/%s", name);
	if (read_seeds(argc > 1 ? argv[1] : folder, &err) || !n_seeds) {
		printf("not ok 1 - %s has seeds: %s\n", name, err.text);
		return 1;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	must(shared != MAP_FAILED);
	status = aside(run_all, n_mutations);
	printf("%sok 1 - %s: some of %zu seeds are accepted\n",
	       shared->n_seeds_accepted ? "" : "not ", name, n_seeds);
	printf("%sok 2 - %s: %zu seeds and %zu mutations keep every promise\n",
	       status ? "not " : "", name, n_seeds, n_mutations);
	if (status)
		show_input(status);
	failing = aside(run_all_failing, slow ? N_FAILING_SLOW : N_FAILING);
	printf("%sok 3 - %s: %zu allocations that fail break nothing\n", failing ? "not " : "",
	       name, shared->n_failed);
	if (failing)
		show_input(failing);
	for (i = 0; i < n_seeds; i++)
		buf_release(&seeds[i]);
	free(seeds);
	return status || failing || !shared->n_seeds_accepted;
}
