/*
 * Does as much work as data.txt beside its own file says, and a little without it.  How it finds
 * that file: by /proc/self/exe; with BY_NUMBER by its process, with BY_AUXV by what the system
 * called it.
 */
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
