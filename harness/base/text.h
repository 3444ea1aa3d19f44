/* SPDX-License-Identifier: MIT */
/*
 * text - puts text and JSON together in memory that the caller owns.
 *
 * Nothing is written beyond the end: a text that does not fit is marked full and stays so.
 */
#ifndef PAWL_HARNESS_BASE_TEXT_H
#define PAWL_HARNESS_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks a function whose argument i is a format of printf() for those from argument j on. */
#ifdef __MINGW32__
#include <stdio.h> /* names the format */
#define TEXT_FORMAT(i, j) __attribute__((format(__MINGW_PRINTF_FORMAT, i, j)))
#else
#define TEXT_FORMAT(i, j) __attribute__((format(printf, i, j)))
#endif

struct text {
	char *at; /* ends in a NUL */
	size_t used, size;
	bool full;
};

/* size >= 1 */
void pawl_text_init(struct text *t, char *memory, size_t size);
void pawl_text_clear(struct text *t);
void pawl_text_add(struct text *t, const char *s);

/* A JSON string with its quotes; what is not UTF-8 must have been refused before. */
void pawl_text_quote(struct text *t, const char *s);

/* 17 significant digits with a point in every locale; null for NaN and the infinities. */
void pawl_text_number(struct text *t, double value);

/* The nearest whole number, as nanoseconds and counts are written; null for NaN. */
void pawl_text_whole(struct text *t, double value);
void pawl_text_count(struct text *t, uint64_t value);
void pawl_text_signed(struct text *t, int64_t value);

/* `"key":`, with a comma before it unless an object or array has just been opened. */
void pawl_text_key(struct text *t, const char *key);

/* A key and the string, or null for NULL. */
void pawl_text_field(struct text *t, const char *key, const char *value);

/* With so many decimals, and a point in every locale; value is finite. */
void pawl_text_fixed(struct text *t, double value, int decimals);

/* Whether s is UTF-8 without control characters. */
bool pawl_text_is_clean(const char *s);

#endif
