/*
 * step - a command of about 5 ms on a processor of these years: words counted in a text that it
 * makes, in a table; branches, loads and arithmetic as in many small tools.
 *
 * ROUNDS is a constant among the data and not of the code, so that commits that change it
 * leave every function where it was.
 */
#include <stdint.h>
#include <stdio.h>

#ifndef ROUNDS
#include "rounds.h"
#endif

enum { LETTERS = 1 << 14, WORDS = 1 << 10 };

static volatile uint32_t rounds = ROUNDS;
/* Another number makes another program that does the same. */
__attribute__((used)) static uint32_t number = NUMBER;
static char text[LETTERS];
static uint32_t counts[WORDS];

static void make_text(void)
{
	uint32_t state = 1;

	for (int i = 0; i < LETTERS; i++) {
		state = state * 1664525u + 1013904223u;
		text[i] = (char)(state >> 29 ? 'a' + (state >> 8) % 26 : ' ');
	}
}

/* Counts the words of a piece of the text of 64 letters. */
static void count_piece(uint32_t piece)
{
	const char *at = text + 64 * (piece % (LETTERS / 64));
	uint32_t hash = 2166136261u;

	for (int i = 0; i < 64; i++) {
		if (at[i] == ' ') {
			counts[hash % WORDS]++;
			hash = 2166136261u;
		} else {
			hash = (hash ^ (uint32_t)at[i]) * 16777619u;
		}
	}
}

int main(void)
{
	uint32_t sum = 0;

	make_text();
	for (uint32_t i = 0; i < rounds; i++)
		count_piece(i);
	for (int i = 0; i < WORDS; i++)
		sum = sum * 31 + counts[i];
	printf("%u\n", (unsigned)sum);
	return 0;
}
