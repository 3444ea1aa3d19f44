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
	return pawl_os_wire_wait(fd);
}
