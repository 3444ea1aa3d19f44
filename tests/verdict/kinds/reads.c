/* Reads a file that is in no cache: around it, since a program cannot empty it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "common.h"

#define BLOCKS 1000

int main(int argc, char **argv)
{
	static char bytes[16384] __attribute__((aligned(4096)));
	int fd = open(argv[argc - 1], O_RDONLY | O_DIRECT), n = 0;

	while (fd >= 0 && n < GROWN(BLOCKS) && read(fd, bytes, sizeof(bytes)) > 0)
		n++;
	return n != GROWN(BLOCKS);
}
