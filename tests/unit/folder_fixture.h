/*
 * folder_fixture - a folder of its own for each test.
 */
#ifndef FOLDER_FIXTURE_H
#define FOLDER_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/file.h"

static char folder[64];

/* folder/name; good until four more calls. */
static const char *at(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/pawl-folder.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return file_remove_tree(folder, NULL);
}

#endif
