# A program of another locale: figures have a point, in the table, the list of clocks and as JSON.
. "$(dirname "$0")/../../lib.sh"

mkdir "$T/locales"
# Of a small set of characters: UTF-8 alone takes two seconds.
if ! localedef -i de_DE -f ISO-8859-1 "$T/locales/de_DE.ISO-8859-1" >"$T/out" 2>&1; then
	skip "figures in another locale" "localedef makes no de_DE here"
	exit 0
fi
cat >"$T/local.c" <<'END_C'
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include "pawl.h"

static void loop(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	pawl_add(r, "own", 0.5 * (double)n);
	while (n--)
		pawl_keep(n);
}
int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { PAWL_BENCH("loop", loop) };
	char point[8];
	if (!setlocale(LC_ALL, "de_DE.ISO-8859-1"))
		return 77;
	snprintf(point, sizeof(point), "%.1f", 0.5);
	return strcmp(point, "0,5") ? 77 : pawl_main(argc, argv, list, 1);
}
END_C
extra=$(libpawl_flags)
check "a program of that locale" ${CC:-cc} -O2 -I"$ROOT/include" -o "$T/local" "$T/local.c" \
	"$BUILD/libpawl.a" $extra
LOCPATH=$T/locales
export LOCPATH
if "$T/local" --list >/dev/null; [ $? -eq 77 ]; then
	skip "figures in another locale" "the C library takes no locale from LOCPATH"
	exit 0
fi
for what in --clocks "--no-counters --min-time=2ms" "--details --min-time=2ms"; do
	runs 0 "$what" "$T/local" $what
	is "$what has a point in each figure" "$(grep -c '[0-9],[0-9]' "$T/out")" 0
	like "... of which there are some" "$T/out" '[0-9]\.[0-9]'
done
for what in --clocks "--no-counters --min-time=2ms"; do
	runs 0 "$what --json" "$T/local" $what --json
	is "$what --json is a document" "$(json "$T/out" 'len(d) > 1')" True
done
