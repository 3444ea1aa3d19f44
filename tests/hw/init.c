/* SPDX-License-Identifier: MIT */
/*
 * The first process of an emulated machine: runs the lines of /commands one after the other,
 * says how each ended, and powers off.  Words are separated by blanks; there is no shell.
 *
 *	PROGRAM WORD...		runs it as root
 *	nobody PROGRAM WORD...	runs it as uid 65534
 *	write FILE TEXT		writes a file, for /proc/sys
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void run(char **words, int as_nobody)
{
	int status = 0;
	pid_t pid = fork();
	if (pid == 0) {
		if (as_nobody && (setgid(65534) || setuid(65534)))
			_exit(126);
		execv(words[0], words);
		printf("%s: %s\n", words[0], strerror(errno));
		fflush(stdout);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	printf("=== exit %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("=== cannot write %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

int main(void)
{
	char line[4096];
	FILE *commands;
	int console;

	umask(0);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	console = open("/dev/console", O_RDWR);
	for (int fd = 0; console >= 0 && fd < 3; fd++)
		dup2(console, fd);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("\n"); /* a firmware may have left its line open */
	commands = fopen("/commands", "re");
	while (commands && fgets(line, sizeof(line), commands)) {
		char *words[64], **first = words, *rest = line;
		size_t n = 0;
		line[strcspn(line, "\n")] = '\0';
		printf("=== %s\n", line);
		while (n < 63 && (words[n] = strsep(&rest, " ")))
			n += words[n][0] != '\0';
		words[n] = NULL;
		if (n == 3 && strcmp(words[0], "write") == 0)
			write_file(words[1], words[2]);
		else if (n > 1 && strcmp(words[0], "nobody") == 0)
			run(++first, 1);
		else if (n > 0)
			run(first, 0);
	}
	printf("=== end\n");
	fflush(stdout);
	sync();
	reboot(RB_POWER_OFF);
	return 1;
}
