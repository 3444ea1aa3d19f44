# The pages for readers: every command block of README.md and docs/ is run, as tests/docs/pages.sh
# tells, against an installed pawl; every relative link leads somewhere.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/docs/pages.sh"

case $BUILD in
*asan* | *coverage*)
	skip 'the blocks of the pages' 'a reader links libpawl without the flags of this build'
	exit
	;;
esac

make -C "$ROOT" MODE="${BUILD##*/}" PREFIX="$T/installed" install >"$T/install" 2>&1
is 'pawl installs' "$?" 0
PATH=$T/installed/bin:$PATH
PKG_CONFIG_PATH=$T/installed/lib/pkgconfig
LD_LIBRARY_PATH=$T/installed/lib
# Quick settings: the verdicts that are asked for are about changes of 100 % and more.
PAWL_RUNS=12..12 PAWL_MIN_TIME=1ms
export PATH PKG_CONFIG_PATH LD_LIBRARY_PATH PAWL_RUNS PAWL_MIN_TIME
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

# ---- the test can fail ------------------------------------------------------------------------

# told PAGE-TEXT: the lines that a page makes of this test, in $T/told
told() {
	printf '%s\n' "$1" >"$T/page.md"
	rm -rf "$T/try"
	(page_test page.md "$T/page.md" "$T/try") >"$T/told" 2>&1
}

told 'Text.

```sh
true
```

```sh
echo here
false
echo not here
```'
like 'a good block passes' "$T/told" '^ok [0-9]+ - page.md:3 ends with 0$'
like 'a bad one names file and line' "$T/told" '^not ok [0-9]+ - page.md:7 ends with 0$'
like 'and shows what it printed' "$T/told" '^# here$'
unlike 'up to the command that failed' "$T/told" '^# not here$'
told '<!-- test: status 3 -->
```sh
sh -c "exit 3"
```
```sh
sh -c "exit 3"
```'
like 'another status can be asked for' "$T/told" '^ok .*page.md:2 ends with 3$'
like 'for one block' "$T/told" '^not ok .*page.md:5 ends with 0$'
told '<!-- test: says ^some.hing$ -->
<!-- test: says nothing -->
```sh
echo something
```'
like 'what is printed can be asked for' "$T/told" "^ok .*page.md:3 says '\^some.hing"
like 'and be wrong' "$T/told" "^not ok .*page.md:3 says 'nothing'"
told '<!-- test: run
word=hidden
export word
mkdir in && cd in
-->
<!-- test: file a/name -->
```c
int x;
```
```sh
echo "$word $(cat a/name) ${PWD##*/}"
word=later
sleep 98765.'$$' &
```
<!-- test: says ^later in in$ -->
```sh
cd .. && cd in
echo "$word in ${PWD##*/}"
```'
unlike 'files, variables and the folder are handed on' "$T/told" '^not ok'
like 'and each block is counted' "$T/told" '^ok .*page.md:16 says '
check 'what a block starts is stopped' wait_for not running "sleep 98765.$$"
told '<!-- test: skip no such machine -->
```sh
false
```'
like 'a block can be skipped' "$T/told" '^ok [0-9]+ - page.md:2 # SKIP no such machine$'
slow=${PAWL_TEST_SLOW:-}
PAWL_TEST_SLOW=
told '<!-- test: slow a word -->
<!-- test: run echo hidden >made -->
```sh
false
```
```sh
[ ! -e made ]
```'
like 'or be left to the slow run' "$T/told" '^ok [0-9]+ - page.md:3 # SKIP takes many seconds: make check-slow$'
like 'with what is hidden before it' "$T/told" '^ok [0-9]+ - page.md:6 ends with 0$'
PAWL_TEST_SLOW=1
told '<!-- test: slow a word -->
<!-- test: run echo hidden >made -->
```sh
[ ! -e made ]
```'
like 'which runs it' "$T/told" '^not ok [0-9]+ - page.md:3 ends with 0$'
PAWL_TEST_SLOW=$slow
told '<!-- test: needs no-such-program-here -->
```sh
false
```'
like 'or need a program' "$T/told" \
	'^ok .* - page.md:2 # SKIP no-such-program-here is not installed$'
told '```
pawl compare
```'
like 'a block without a language is a fault' "$T/told" '^not ok .*page.md:1 is sound$'
told 'x
```text
pawl compare
```'
like 'so are commands that nobody runs' "$T/told" '^not ok .*page.md:2 is sound$'
told '<!-- test: runn true -->'
like 'and a comment that says nothing' "$T/told" '^not ok .*page.md:1 is sound$'
told 'a

```sh
true'
like 'and a block without an end' "$T/told" '^not ok .*page.md:3 is sound$'
cat >"$T/page.md" <<'END'
# A b: c
[a](nowhere.md) [b](page.md#a-b-c) [c](#a-b) [d](https://pawl.invalid) `[e](f)`
END
is 'links to nowhere are found' "$(page_links page.md "$T/page.md" | sort)" \
	"page.md: #a-b: no such heading
page.md: nowhere.md: no such file"

# ---- links -----------------------------------------------------------------------------------

for file in "$ROOT"/*.md $(find "$ROOT/docs" "$ROOT/examples" -name '*.md' | sort); do
	page=${file#"$ROOT"/}
	is "$page: every link leads somewhere" "$(page_links "$page" "$file")" ''
done

# Every page for readers is in the map, so that it can be found.
page_links_of() {
	grep -o '](\([^)#]*\)' "$1" | sed 's/^](//'
}
page_links_of "$ROOT/docs/README.md" | sort -u >"$T/mapped"
for file in "$ROOT"/docs/*.md "$ROOT"/docs/howto/*.md "$ROOT"/docs/explanation/*.md; do
	name=${file#"$ROOT"/docs/}
	[ "$name" = README.md ] || check "docs/README.md leads to $name" grep -qx "$name" "$T/mapped"
done

# So is every manual page and schema; pawl(3) leads to those of calls, and some only lead to others.
for file in "$ROOT"/docs/man/*.[!3] "$ROOT"/docs/schema/*.json; do
	name=${file#"$ROOT"/docs/}
	head -n 1 "$file" | grep -q '^[.]so ' || check "docs/README.md leads to $name" grep -qx "$name" "$T/mapped"
done

# ---- the blocks ------------------------------------------------------------------------------

blocks=0
for file in "$ROOT/README.md" "$ROOT/CONTRIBUTING.md" "$ROOT/SECURITY.md" \
	"$ROOT"/docs/*.md "$ROOT"/docs/howto/*.md "$ROOT"/docs/explanation/*.md; do
	page=${file#"$ROOT"/}
	# A page that another script names is run there.
	other=$(cd "$ROOT" && grep -lr --include='*.sh' -e "$page" tests/cli | grep -v '^tests/cli/cli/docs.sh$')
	case $page in
	docs/howto/*) [ -z "$other" ] || { echo "# $page is run by $other" && continue; } ;;
	esac
	page_test "$page" "$file" "$T/pages/$page" || continue
	blocks=$((blocks + 1))
done
check 'some pages have blocks' [ "$blocks" -gt 5 ]
