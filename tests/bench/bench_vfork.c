/* Starts a program so many times as cheaply as can be: what tests/bench/cost compares pawl with. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether it could be started and ended well. */
static int run(char **words)
{
	static char *none[] = { NULL };
	int status = 0;
	pid_t pid = vfork();

	if (!pid) {
		execve(words[0], words, none);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

int main(int argc, char **argv)
{
	char *words[] = { argc > 2 ? argv[2] : NULL, NULL };
	long n = argc > 2 ? strtol(argv[1], NULL, 10) : 0;

	while (n > 0 && run(words))
		n--;
	return n > 0;
}
