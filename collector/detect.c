#include "collector/detect.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

/*
 * In order of preference.  "%J" stands for the number of processors.  The build types are those a
 * program is shipped with; the search path of shared objects is relative, so that it does not
 * hold the folder of the build.  autogen.sh often runs configure itself unless it is told not to.
 */
static const struct method {
	const char *file, *command;
} methods[] = {
	{ "GNUmakefile", "make -j%J" },
	{ "makefile", "make -j%J" },
	{ "Makefile", "make -j%J" },
	{ "CMakeLists.txt", "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release "
			    "-DCMAKE_BUILD_RPATH_USE_ORIGIN=ON && cmake --build build -j%J" },
	{ "meson.build", "meson setup build --buildtype=release && meson compile -C build -j%J" },
	{ "configure", "sh ./configure && make -j%J" },
	{ "autogen.sh", "chmod +x autogen.sh && NOCONFIGURE=1 ./autogen.sh && ./configure && "
			"make -j%J" },
	{ "configure.ac", "autoreconf -fi && ./configure && make -j%J" },
};

/* Whether it is there and can be read. */
static bool has(const char *top, const char *file)
{
	struct buf path = BUF_INIT;
	bool is;

	buf_addf(&path, "%s/%s", top, file);
	is = !buf_check(&path, NULL) && !access(buf_str(&path), R_OK);
	buf_release(&path);
	return is;
}

static char *fill_in(const char *command, struct err *err)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	const char *mark = strstr(command, "%J");
	struct buf text = BUF_INIT;
	char *out;

	buf_add(&text, command, (size_t)(mark - command));
	buf_addf(&text, "%ld%s", n > 0 ? n : 1, mark + 2);
	out = buf_detach(&text);
	if (!out)
		err_nomem(err);
	return out;
}

int build_detect(const char *top, char **out, char **out_what, struct err *err)
{
	char *command, *what;
	size_t i;

	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (has(top, methods[i].file))
			break;
	if (i == sizeof(methods) / sizeof(methods[0])) {
		err_set(err, ERR_ABSENT, "cannot tell how '%s' is built", top);
		return err_hint(err, "set pawl.build to the command, or to 'true' for nothing");
	}
	command = fill_in(methods[i].command, err);
	what = command ? str_dup(methods[i].file, err) : NULL;
	if (!what) {
		free(command);
		return -1;
	}
	*out = command;
	*out_what = what;
	return 0;
}
