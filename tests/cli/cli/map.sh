# docs/ARCHITECTURE.md and CONTRIBUTING.md against the tree: every room is on the map, and what they
# name is there.
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

# All that is there to be named, one a line, each after a slash.
(cd "$ROOT" && find . -name .git -prune -o -path ./build -prune -o -print) >"$T/tree"
# The calls that are declared or defined: our lines of those begin in the first column.
(cd "$ROOT" && find cli collector harness hooks include lib reporter server -name '*.[ch]' -exec \
	grep -hE '^[a-z#].*\(' {} +) | grep -oE '[a-z_0-9]+\(' | sort -u >"$T/calls"

# strays PAGE: the paths and calls that it names and the tree does not have.  A path may begin within
# a room, and have NAME or * for what differs.  What a repository or a build has is not ours.
strays() {
	named "$(cat "$1")" | sort -u | while IFS= read -r word; do
		case $word in
		*[!A-Za-z0-9_./*\(\)-]* | .git/* | build/* | /*) continue ;;
		*'()')
			grep -qxF "${word%)}" "$T/calls" || echo "$word"
			continue
			;;
		*?/?* | ?*.[ch1-8] | *.sh | *.py | *.md | *.mk | *.json) ;;
		*) continue ;;
		esac
		pattern=$(printf '%s\n' "${word%/}" |
			sed -E 's,[.],[.],g; s,[*]|NNNN|NAME|ROOM|FILE,[^/]*,g')
		grep -q "/$pattern\$" "$T/tree" || echo "$word"
	done
}

# ---- the test can fail ------------------------------------------------------------------------

is 'a file that is gone is seen' "$(missing_of '| why | `cli/gone.c` |')" 'no file cli/gone.c'
is 'and a call that is elsewhere' "$(missing_of '| why | `cli/main.c`, `judge_pairs()` |')" \
	'no judge_pairs() in cli/main.c'

check 'the tree has calls' [ -s "$T/calls" ]
printf '%s\n' '`cli/gone.c`, `main.c`, `cmd_NAME.c`, `gone/main.c`, `lib/*_gone.c`, `judge_pairs()`,' \
	'`judge_gone()`, `lib/gone/`, `lib/stats/`, `gone.h`, `make gone.c`' >"$T/page"
is 'so is one that a text names' "$(strays "$T/page" | tr '\n' ' ')" \
	'cli/gone.c gone.h gone/main.c judge_gone() lib/*_gone.c lib/gone/ '

# ---- every path and call ----------------------------------------------------------------------

for name in docs/ARCHITECTURE.md CONTRIBUTING.md; do
	is "$name names what is there" "$(strays "$ROOT/$name")" ''
done

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
