#include "cli/document.h"

#include <string.h>
#include <sys/stat.h>

#include "lib/base/buf.h"
#include "lib/process/input.h"

#include "lib/base/banned.h"

int document_read(const char *path, struct summary *out, struct err *err)
{
	struct buf text = BUF_INIT;
	struct stat st;
	int result;

	/* A pipe that nobody writes to would hang. */
	if (strcmp(path, "-") && !stat(path, &st) && !S_ISREG(st.st_mode)) {
		err_set(err, ERR_REFUSED, "'%s' is no file", path);
		return err_hint(err, "a pipe comes in by --file -");
	}
	result = input_read_named(path, SUMMARY_MAX_BYTES, &text, err);
	if (!result && summary_decode(buf_str(&text), text.len, out, err)) {
		err->code = err->code == ERR_NOMEM ? ERR_NOMEM : ERR_REFUSED;
		result = err_in(err, "'%s' is no result", path);
	}
	buf_release(&text);
	return result;
}
