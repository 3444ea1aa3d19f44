/* SPDX-License-Identifier: MIT */
#include "harness/speak/wire.h"

#include <errno.h>

#include "harness/os/os.h"

int pawl_wire_send(int fd, struct text *t)
{
	pawl_text_add(t, "\n");
	if (t->full)
		return -EMSGSIZE;
	return pawl_os_wire_write(fd, t->at, t->used, WIRE_PATIENCE_MS);
}

int pawl_wire_wait(int fd)
{
	char byte;
	int n = pawl_os_wire_take(fd, &byte, 1);
	return n < 0 ? n : 0;
}

int pawl_wire_line(int fd, char *out, size_t size)
{
	for (size_t at = 0; at < size;) {
		int n = pawl_os_wire_take(fd, out + at, size - at);
		if (n < 0)
			return n;
		at += (size_t)n;
		if (out[at - 1] == '\n') {
			out[at - 1] = '\0';
			return 0;
		}
	}
	return -EMSGSIZE;
}
