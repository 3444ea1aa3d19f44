/*
 * Does as much work as data.txt beside its own file says, and a little without it.  How it finds
 * that file: by /proc/self/exe; with BY_NUMBER by its process, with BY_AUXV by what the system
 * called it, with BY_SCAN read behind the environment, with BY_MAPS by how it lies in memory.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#if defined(BY_AUXV)
static void place(char *out)
{
	strcpy(out, (const char *)getauxval(AT_EXECFN));
}
#elif defined(BY_SCAN)
static void place(char *out)
{
	char **e = environ;
	ElfW(auxv_t) * a;

	while (*e++)
		;
	for (a = (void *)e; a->a_type; a++)
		if (a->a_type == AT_EXECFN)
			strcpy(out, (char *)a->a_un.a_val);
}
#elif defined(BY_MAPS)
static void place(char *out)
{
	char name[64], line[4096] = "/";
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)getpid());
	f = fopen(name, "r");
	if (f && fgets(line, sizeof(line), f))
		line[strcspn(line, "\n")] = '\0';
	strcpy(out, strchr(line, '/'));
}
#else
static void place(char *out)
{
#if defined(BY_NUMBER)
	char name[64] = "/proc/", number[32];

	snprintf(number, sizeof(number), "%d", (int)getpid());
	strcat(strcat(name, number), "/exe");
#else
	char name[64] = "/proc/self/exe"; /* gcc has it in pieces among the code */
#endif
	if (readlink(name, out, 4000) < 0)
		exit(2);
}
#endif

int main(void)
{
	char path[4096] = "", text[32] = "100000";
	FILE *f;

	place(path);
	strcpy(strrchr(path, '/'), "/data.txt");
	f = fopen(path, "r"); /* without it a little work is done in silence */
	if (f && !fgets(text, sizeof(text), f))
		return 2;
	for (volatile long i = atol(text); i > 0; i--)
		;
	return 0;
}
