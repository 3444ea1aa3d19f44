/* text - a converter of marked-up text in several files, whose functions call each other often. */
#include <stddef.h>

enum kind { KIND_WORD, KIND_NUMBER, KIND_MARK, KIND_BLANK, KIND_END };

struct token {
	enum kind kind;
	const unsigned char *at;
	size_t n;
};

struct out {
	unsigned char bytes[4096];
	size_t n;
	unsigned long sum;
};

void scan_next(const unsigned char **at, const unsigned char *end, struct token *out);
unsigned words_hash(const unsigned char *at, size_t n);
unsigned words_count(const unsigned char *at, size_t n);
void escape_put(struct out *o, const unsigned char *at, size_t n);
void escape_mark(struct out *o, unsigned char c);
void out_byte(struct out *o, unsigned char c);
void out_number(struct out *o, unsigned n);
