/*
 * utf8 - the characters of a text: how long one is, what steers a terminal, where a text is cut.
 */
#ifndef PAWL_BASE_UTF8_H
#define PAWL_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the valid UTF-8 sequence at p (n bytes left), or 0; 0 too when n is 0. */
size_t utf8_length(const unsigned char *p, size_t n);

/*
 * Whether the character at p, of a text that ends, steers a terminal: U+0000 to U+001F, U+007F to
 * U+009F.
 */
bool utf8_is_control(const unsigned char *p);

/* How many bytes of a text, at most `most`, are whole characters: where it is cut.  O(n). */
size_t utf8_fitting(const char *text, size_t most);

#endif
