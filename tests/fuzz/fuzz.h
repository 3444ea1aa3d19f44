/*
 * fuzz - what the fuzzers' entry points share.
 *
 * Each fuzz_NAME.c holds one entry point of libFuzzer's form; its seeds are the files of
 * corpus/NAME.  `make fuzz` links it with libFuzzer, `make check` with driver.c, which runs
 * the seeds and a fixed set of mutations of them.
 */
#ifndef PAWL_TESTS_FUZZ_H
#define PAWL_TESTS_FUZZ_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; aborts when a promise is broken.  Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* What must hold whatever the input is. */
#define must(claim) ((claim) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #claim))
_Noreturn void fuzz_broken(const char *file, int line, const char *claim);

/*
 * Where it goes on when a promise is broken while allocations fail (driver.c): few promises hold
 * then, and nobody releases what the target has.  NULL: nowhere.
 */
extern jmp_buf *fuzz_escape;

/*
 * Counts an input that was accepted, so that the driver can tell whether the seeds reach
 * behind the first check at all.
 */
void fuzz_accept(void);
extern size_t fuzz_n_accepted;

/*
 * How many times the processor time of a cheap target an input takes, about: the driver makes so
 * many times fewer mutations.  A target that says nothing takes 1.
 */
extern const size_t fuzz_cost;

/* Whether a library that it uses keeps memory where our part of a call fails; usually not. */
extern const bool fuzz_library_leaks;

/* The bytes with a NUL behind them; free() it. */
char *fuzz_string(const uint8_t *data, size_t n);

/* The path of a file in memory that holds just these bytes until the next call. */
const char *fuzz_file(const uint8_t *data, size_t n);

/* Whether text is one line of UTF-8 without any control character. */
bool fuzz_is_plain(const char *text, bool utf8);

/* What err.h promises of a text: one line without control characters, UTF-8 or not. */
bool fuzz_is_line(const char *text);

#endif
