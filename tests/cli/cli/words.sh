# How pawl speaks: what people read, pages and messages, has none of the words that no engineer would say at a desk.
. "$(dirname "$0")/../../lib.sh"

cd "$ROOT" || exit 1
pages="README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs/*.md docs/howto/*.md
	docs/explanation/*.md docs/man/*.[1358]"
rooms='cli collector hooks reporter lib server'

# Each of these has a better one: reported or printed; is; compared with; after; a security boundary.
banned='\<told\>|\<stands?\>|\<(held|holds?) against\>|\<behind\>|other ends|no wall'

# Sentences of which WORDS has a better one, so that none comes back.
banned="$banned|lost (their|its) processor|moved otherwise than|take about as long|where both parted"
banned="$banned|a process starts with|noise floor|installs what it needs by itself"
banned="$banned|its failure is the|what is in order|no look before|needs no words|worth watching|just so many"

# What may hold one all the same: an extended regular expression a line, its reason after a tab.
cat >"$T/allowed" <<'END'
--?behind-proxy|BEHIND_PROXY	the name of an option
Fl behind-proxy	the same in a manual page
^lib/(foreign|profile|git|store)/	faults in formats, which only their authors read
cli/completion/completion\.c	a comment in a script that is made
collector/build/compilers\.c	a comment in a script that is made
an iteration takes no instructions that can be told apart	"tell apart" is plain English
END
cut -f 1 "$T/allowed" >"$T/patterns"

# found FILE: its lines that hold a banned word and nothing that allows it
found() {
	grep -Evf "$T/patterns" "$1"
}

# shellcheck disable=SC2086  # patterns and words on purpose
grep -EnH "$banned" $pages >"$T/in-pages"
is 'no page holds a banned word' "$(found "$T/in-pages")" ''
# What stands between quotes, on lines that are no comments.
# shellcheck disable=SC2086
find $rooms -name '*.c' -exec grep -EnH "\"[^\"]*($banned)[^\"]*\"" {} + |
	grep -Ev ':[0-9]+:[[:space:]]*(\*|/\*|//|#include)' >"$T/in-code"
is 'no message holds one' "$(found "$T/in-code")" ''

echo 'docs/x.md:1: it is told here' >"$T/bad"
is 'a page that held one would be found' "$(grep -Ec "$banned" "$T/bad"; found "$T/bad")" \
	'1
docs/x.md:1: it is told here'
while IFS= read -r pattern; do
	check "'$pattern' still allows something" grep -Eq -e "$pattern" "$T/in-pages" "$T/in-code"
done <"$T/patterns"

# The picture of the README (ci/terminal-svg) shows what a report looks like now.
/usr/bin/python3 -c 'import sys
from xml.etree import ElementTree
for text in ElementTree.parse("docs/compare.svg").iter("{http://www.w3.org/2000/svg}text"):
    print(text.text)' >"$T/picture"
for title in $(sed -n 's/.*\[CELL_[A-Z]*\] = "\([a-z]*\)".*/\1/p; s/.*, *\[CELL_[A-Z]*\] = "\([a-z]*\)".*/\1/p' \
	reporter/figures/cells.c | sort -u); do
	check "the picture has the column '$title'" grep -qx "$title" "$T/picture"
done
for word in base head pair run threshold interval verdict layout level step detectable; do
	like "the glossary has '$word'" docs/GLOSSARY.md "^\| .*\*\*$word"
done
check 'the rule fits on one screen' [ "$(wc -l <docs/explanation/the-rule.md)" -le 50 ]
# shellcheck disable=SC2012  # their names are plain
is 'no two decisions have one number' \
	"$(ls docs/decisions | sed -n 's/^\([0-9]*\)-.*/\1/p' | sort | uniq -d)" ''
for page in docs/decisions/[0-9]*.md; do
	number=$(basename "$page" | sed 's/^0*\([0-9]*\)-.*/\1/')
	[ "$(sed -n '1s/^# \([0-9]*\)\..*/\1/p' "$page")" = "$number" ] || echo "$page"
done >"$T/other"
is 'and each page says its own' "$(cat "$T/other")" ''
