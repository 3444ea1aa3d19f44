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
	return pawl_os_wire_wait(fd, &byte);
}

int pawl_wire_line(int fd, char *out, size_t size)
{
	for (size_t n = 0; n < size; n++) {
		int error = pawl_os_wire_wait(fd, &out[n]);
		if (error)
			return error;
		if (out[n] == '\n') {
			out[n] = '\0';
			return 0;
		}
	}
	return -EMSGSIZE;
}
