# The manual pages against the programs: every option, command and exit status, both ways.
. "$(dirname "$0")/../../lib.sh"

man=$ROOT/docs/man
commands=$(pawl --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')
check 'the help names commands' [ -n "$commands" ]

# section FILE NAME: the lines of one section
section() {
	awk -v name="$2" '/^\.Sh / { inside = $0 == ".Sh " name; next } inside' "$1"
}

# options_shown COMMAND: as --help shows them, "-b, --benchmark NAME", one a line; those that it only
# names too
options_shown() {
	pawl "$1" --help >"$T/shown"
	{
		sed '/^also: /,$d' "$T/shown" | sed -n -e 's/^  \(.\{23\}\) .*/\1/p' -e 's/^  \(-., --[a-z-]* [A-Z ,]*\)$/\1/p' \
			-e 's/^  \(    --[a-z-]* [A-Z]*\)$/\1/p' | grep -e '^-' -e '^  *--' |
			sed 's/^ *//; s/ *$//'
		sed -n '/^also: /,/[^,]$/p' "$T/shown" | sed 's/^also://' | tr ',' '\n' |
			sed -n 's/^ *\(--.*\)/\1/p'
	} | sort
}

# options_told FILE: the same from the items of a page's OPTIONS
options_told() {
	section "$1" OPTIONS | sed -n 's/^\.It //p' |
		sed 's/Fl Fl /--/g; s/Fl /-/g; s/ ,/,/g; s/ Ar / /g' | sort
}

for command in $commands; do
	page=$man/pawl-$command.1
	if [ ! -f "$page" ]; then
		result 1 "pawl $command has a page" "no file docs/man/pawl-$command.1"
		continue
	fi
	options_told "$page" >"$T/told"
	check "pawl $command: its page tells options" [ -s "$T/told" ]
	is "pawl $command: its page and its help tell the same options" \
		"$(cat "$T/told")" "$(options_shown "$command")"
	like "pawl(1) sends to pawl-$command(1)" "$man/pawl.1" "^\.Xr pawl-$command 1( |\$)"
	like "pawl-$command(1) sends to pawl(1)" "$page" '^\.Xr pawl 1( |$)'
	# An example with an option that is gone would be the first thing to be copied.
	section "$page" EXAMPLES | sed -n "s/^\(\.Dl \)*.*pawl $command //p" | tr ' ' '\n' |
		sed -n 's/^\(--[a-z][a-z-]*\).*/\1/p' | sort -u >"$T/used"
	sed 's/.*\(--[a-z-]*\).*/\1/' "$T/told" | sort >"$T/names"
	is "pawl-$command(1): the examples use options that exist" \
		"$(comm -23 "$T/used" "$T/names")" ''
done
# What a screen shows: 40 lines of 80 columns.
for command in '' $commands; do
	# shellcheck disable=SC2086  # no word for pawl itself
	pawl $command --help >"$T/help"
	is "pawl $command --help is no longer than a screen" \
		"$(awk 'END { if (NR > 40) print NR " lines" }' "$T/help")" ''
	is "pawl $command --help is no wider" "$(awk 'length($0) > 80' "$T/help")" ''
done
is 'pawl(1) lists the commands, and no others' \
	"$(section "$man/pawl.1" DESCRIPTION | awk '/^The commands are:/ { inside = 1 }
		/^\.El/ { inside = 0 } inside && /^\.It Cm / { print $3 }' | sort)" \
	"$(printf '%s\n' $commands | sort)"
is 'and at its end their pages' \
	"$(section "$man/pawl.1" 'SEE ALSO' | sed -n 's/^\.Xr pawl-\([a-z]*\) 1.*/\1/p')" \
	"$(printf '%s\n' $commands | sort)"
for page in "$man"/pawl-*.1; do
	! head -n 1 "$page" | grep -q '^\.so ' || continue
	name=${page##*/pawl-}
	name=${name%.1}
	check "pawl-$name(1) is about a command" sh -c 'echo "$1" | grep -qx "$2"' sh \
		"$commands" "$name"
done

# ---- exit statuses ------------------------------------------------------------------------

# What the name of a status in cli/command.h must be called in the page.
words_of() {
	case $1 in
	OK) echo 'no regression' ;;
	REGRESSED) echo 'regression was confirmed' ;;
	USAGE) echo 'usage or configuration' ;;
	INCONCLUSIVE) echo 'inconclusive' ;;
	FAILED) echo 'failed' ;;
	ENVIRONMENT) echo 'repository, the store or the environment' ;;
	UNDELIVERED) echo 'not delivered' ;;
	*) echo 'a status that this test does not know' ;;
	esac
}

section "$man/pawl.1" 'EXIT STATUS' >"$T/statuses"
sed -n 's/.*EXIT_\([A-Z]*\) = \([0-9]*\).*/\2 \1/p' "$ROOT/cli/command.h" >"$T/codes"
check 'cli/command.h lists exit statuses' [ "$(wc -l <"$T/codes")" -ge 7 ]
is 'pawl(1) and cli/command.h have the same statuses' \
	"$(sed -n 's/^\.It \([0-9]*\)$/\1/p' "$T/statuses")" "$(cut -d ' ' -f 1 "$T/codes")"
while read -r code name; do
	awk -v code="$code" '/^\.It / { inside = $2 == code; next } /^\.El/ { inside = 0 }
		inside' "$T/statuses" | tr 'A-Z\n' 'a-z ' >"$T/text"
	like "status $code is told as $name" "$T/text" "$(words_of "$name")"
done <"$T/codes"

# ---- the library --------------------------------------------------------------------------

# Prints where the calls and macros of the headers and the pages of section 3 do not agree.
cat >"$T/interface.py" <<'END'
# usage: interface.py PAGES HEADER...
import re, sys
text = ""
for name in sys.argv[2:]:
    text += re.sub(r"/\*.*?\*/", "", open(name).read().replace("\\\n", " "), flags=re.S)
calls = {}
for proto in re.findall(r"^PAWL_API ([^;#]*);", text, flags=re.M):
    proto = re.sub(r"\s+", " ", proto).replace("* ", "*")
    calls[re.search(r"(\w+)\(", proto).group(1)] = proto
for name, args in re.findall(r"^#[ \t]*define[ \t]+(\w+)\(([^)]*)\)", text, flags=re.M):
    if not name.endswith("_"):
        # of a call that is inlined, too, the page tells the call
        calls.setdefault(name, "a macro of %d" % len([a for a in args.split(",") if a.strip()]))

def told(page):
    """The same from the SYNOPSIS of a page."""
    found, kind = {}, ""
    for line in page.split(".Sh SYNOPSIS")[1].split(".Sh ")[0].splitlines():
        if line.startswith(".Ft "):
            kind = line[4:]
        elif line.startswith(".Fn "):
            name, *args = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', line[4:])]
            proto = "%s %s(%s)" % (kind, name, ", ".join(args))
            found[name] = proto.replace("* ", "*") if kind else "a macro of %d" % len(args)
            kind = ""
    return found

seen = {}
for name in sorted(calls):
    try:
        page = open("%s/%s.3" % (sys.argv[1], name)).read()
        if page.startswith(".so man3/"):
            page = open("%s/%s" % (sys.argv[1], page[9:].strip())).read()
    except OSError as e:
        print("%s has no page: %s" % (name, e))
        continue
    if not re.search(r"^\.Nm %s( ,)?$" % name, page, flags=re.M):
        print("the page of %s does not name it" % name)
    seen.update(told(page))
    if seen.get(name) != calls[name]:
        print("%s: '%s' in the header, '%s' in its page" % (name, calls[name], seen.get(name)))
for name in sorted(set(seen) - set(calls)):
    print("%s is told, but not in the header" % name)
print(len(calls), file=sys.stderr)
END
headers=$(sed -n 's/^#include "\(pawl_[a-z]*\.h\)"$/\1/p' "$ROOT/include/pawl.h" | sort -u)
(cd "$ROOT/include" && /usr/bin/python3 "$T/interface.py" "$man" pawl.h $headers) \
	>"$T/differences" 2>"$T/calls"
is 'every call and macro of pawl.h has a page, which says what the header does' \
	"$(cat "$T/differences")" ''
check 'pawl.h has calls and macros' [ "$(cat "$T/calls")" -ge 20 ]
for name in $(sed -n 's/^\t\(pawl_[a-z_]*\);.*/\1/p' "$ROOT/harness/libpawl.map"); do
	check "$name, which the library exports, has a page" [ -f "$man/$name.3" ]
done
for page in "$man"/*.3; do
	name=${page##*/}
	name=${name%.3}
	if [ "$(head -c 4 "$page")" = '.so ' ]; then
		check "$name(3) is another page" [ -f "$man/$(sed 's|.so man3/||' "$page")" ]
	elif [ "$name" != pawl ]; then
		like "pawl(3) sends to $name(3)" "$man/pawl.3" "^\.It Xr $name 3\$"
		like "$name(3) sends to pawl(3)" "$page" '^\.Xr pawl 3( |$)'
	fi
done
"$BUILD/examples/arrays" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort >"$T/shown"
section "$man/pawl.3" OPTIONS | sed -n 's/^\.It //p' | grep -o 'Fl -[a-z-]*' |
	sed 's/Fl -/--/' | sort >"$T/told"
is 'pawl(3) and --help of a benchmark program tell the same options' "$(cat "$T/told")" \
	"$(cat "$T/shown")"

# ---- the lines of a report ----------------------------------------------------------------

# explained TEXT: a report can say it, and the page for readers tells what it means
explained() {
	check "a report can say '$1'" grep -rqF -e "$1" "$ROOT/reporter"
	check 'and the page tells what that means' \
		grep -qF -e "$1" "$ROOT/docs/explanation/reading-a-report.md"
}

explained 'undecided after '
explained ': a change is likely, but not sure enough to be called'
explained 'stopped at pair '
explained 'its output differs from that of the base'
explained 'work was not counted: '
explained 'accepted in '
explained 'compared with '
explained 'stored samples'
explained 'more work and slower'
explained 'same work, slower (layout, cache, memory)'
explained 'the mean moved differently from the median: rare slow runs changed'
explained 'fall into two groups, about '
explained 'identical code differed by up to '
explained 'pairs failed and were repeated: too many to judge'
explained 'some slices cost more than the others: judged by '
explained 'base and head are medians'
explained 'delta comes from the pairs of runs'
explained 'pairs far off the others, counted all the same'
explained 'intervals hold at '
explained 'not measured: '
for cause in $(sed -n 's/^\t{ "\([^"]*\)", "[a-z_]*", .*/\1/p' "$ROOT/reporter/judge/disturbed.c" | tr ' ' _); do
	explained "$(echo "$cause" | tr _ ' ')"
done

# ---- form ---------------------------------------------------------------------------------

is 'git-pawl(1) is pawl(1)' "$(cat "$man/git-pawl.1")" '.so man1/pawl.1'
is 'pawl-collector(1) is pawl-collect(1)' "$(cat "$man/pawl-collector.1")" '.so man1/pawl-collect.1'
is 'pawl-reporter(1) is pawl-report(1)' "$(cat "$man/pawl-reporter.1")" '.so man1/pawl-report.1'
if ! command -v mandoc >/dev/null; then
	skip 'the pages are sound mdoc' 'mandoc is not installed'
	skip 'git-pawl(1) is found where pages are installed' 'mandoc is not installed'
	skip 'pawl_stop(3) is found where pages are installed' 'mandoc is not installed'
	exit
fi
for page in "$man"/*.[1-9]; do
	! head -n 1 "$page" | grep -q '^\.so ' || continue
	# Which other pages this machine has is not the page's fault.
	mandoc -T lint "$page" 2>&1 | grep -v -e 'referenced manual not found' \
		-e 'outdated mandoc.db' >"$T/lint"
	is "${page##*/} is sound mdoc" "$(cat "$T/lint")" ''
done
mkdir -p "$T/man/man1"
cp "$man"/*.1 "$T/man/man1/"
(cd "$T/man" && mandoc -T ascii man1/git-pawl.1) >"$T/git-pawl" 2>&1
like 'git-pawl(1) is found where pages are installed' "$T/git-pawl" '^PAWL\(1\)'
mkdir -p "$T/man/man3"
cp "$man"/*.3 "$T/man/man3/"
(cd "$T/man" && mandoc -T ascii man3/pawl_stop.3) >"$T/stop" 2>&1
like 'pawl_stop(3) is found where pages are installed' "$T/stop" '^PAWL_START\(3\)'
