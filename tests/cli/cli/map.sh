# docs/ARCHITECTURE.md against the tree: every room is on the map, and what it names is there.
. "$(dirname "$0")/../../lib.sh"

page=$ROOT/docs/ARCHITECTURE.md

# named TEXT: what stands in backquotes, one a line
named() {
	printf '%s\n' "$1" | grep -o '`[^`]*`' | tr -d '`'
}

# missing_of ROW: what a row of "Where to look" names and its files do not have
missing_of() {
	files=$(named "$1" | grep -v '()$')
	for file in $files; do
		[ -f "$ROOT/$file" ] || echo "no file $file"
	done
	for call in $(named "$1" | grep '()$'); do
		(cd "$ROOT" && cat $files 2>/dev/null) | grep -Eq "(^|[^a-z_])${call%??}\(" ||
			echo "no $call in $files"
	done
}

# ---- the test can fail ------------------------------------------------------------------------

is 'a file that is gone is seen' "$(missing_of '| why | `cli/gone.c` |')" 'no file cli/gone.c'
is 'and a call that is elsewhere' "$(missing_of '| why | `cli/main.c`, `judge_pairs()` |')" \
	'no judge_pairs() in cli/main.c'

# ---- where to look ----------------------------------------------------------------------------

sed -n '/^## Where to look/,/^## Whose/s/^| [^q].*/&/p' "$page" >"$T/rows"
check 'there are questions' [ "$(wc -l <"$T/rows")" -gt 5 ]
while IFS= read -r row; do
	question=${row#| }
	is "${question%% |*}: is there" "$(missing_of "$row")" ''
done <"$T/rows"

# ---- the rooms --------------------------------------------------------------------------------

sed -n '/^## The rooms/,/^## Where/s/^| \([^|]*\)|.*/\1/p' "$page" >"$T/cells"
named "$(cat "$T/cells")" | sed 's,/$,,' | sort >"$T/rooms"
for room in $(cat "$T/rooms"); do
	check "$room is a folder" [ -d "$ROOT/$room" ]
done
(cd "$ROOT" && find cli collector harness hooks include lib reporter server -name '*.c') |
	sed 's,/[^/]*$,,' | sort -u >"$T/folders"
check 'there are folders' [ -s "$T/folders" ]
is 'every folder of sources is on the map' "$(comm -13 "$T/rooms" "$T/folders")" ''
