# Runs the command blocks of Markdown pages and follows their links; for tests/cli/cli/docs.sh.
#
#	. "$(dirname "$0")/../../lib.sh"
#	. "$ROOT/tests/docs/pages.sh"
#
# A page is run in order, in a folder and a HOME of its own, with the exported variables and the
# current folder of the block before; pawld's port 7295 stands for a free one.  Comments in the
# page, which no reader sees:
#
#	<!-- test: run COMMANDS -->	runs them here; the functions of tests/lib.sh are known
#	<!-- test: file NAME -->	the next block is written to that file
#	<!-- test: status N -->		the next block ends with N and not with 0
#	<!-- test: says PATTERN -->	and prints a line that matches (grep -E); may be repeated
#	<!-- test: needs PROGRAM -->	else the next block is skipped
#	<!-- test: slow WHAT -->	the next block, and what is hidden before it, runs with PAWL_TEST_SLOW alone
#	<!-- test: skip REASON -->	the next block is not run, and counted as skipped

groups=

# page_start DIR PAGE: an empty place to run a page in
page_start() {
	place=$1
	mkdir -p "$place/home" "$place/work"
	printf '[user]\n\tname = Reader\n\temail = reader@pawl.invalid\n[init]\n\tdefaultBranch = main\n' \
		>"$place/home/.gitconfig"
	echo "$place/work" >"$place/folder"
	echo "export HOME='$place/home'" >"$place/variables"
	port=7295
	! grep -q :7295 "$2" || port=$(/usr/bin/python3 -ISc 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
}

# page_run FILE: runs it as a reader's shell would; output in $place/out; sets got_status
page_run() {
	{
		echo "keep() { pwd >'$place/folder'; export -p >'$place/variables'; }"
		echo 'trap "status=\$?; keep; exit \$status" EXIT'
		echo ". '$place/variables'"
		echo "cd '$(cat "$place/folder")'"
		sed "s/:7295/:$port/g" "$1"
	} >"$place/script"
	# The group of timeout, which sets no time here, holds what the block leaves running.
	timeout 0 sh -e "$place/script" >"$place/out" 2>&1 </dev/null &
	group=$!
	groups="$groups $group"
	wait $group
	got_status=$?
}

# page_stop: ends what the blocks left running
page_stop() {
	for group in $groups; do
		kill -- "-$group" 2>/dev/null
	done
	groups=
}

# What a page left running ends with the script, too.
trap 'code=$?; page_stop; (exit $code); at_end' EXIT

# page_hidden FILE: hidden commands, with the functions of the tests
page_hidden() {
	(
		. "$place/variables"
		cd "$(cat "$place/folder")" || exit 1
		set -e
		. "$1"
		pwd >"$place/folder"
		export -p >"$place/variables"
	) >"$place/out" 2>&1
	got_status=$?
}

# page_block NAME LINE FILE: one block, with what was said about it before
page_block() {
	if [ -n "$skip" ]; then
		skip "$1:$2" "$skip"
		return
	fi
	if [ -n "$needs" ] && ! command -v "$needs" >/dev/null; then
		skip "$1:$2" "$needs is not installed"
		return
	fi
	page_run "$3"
	if [ "$got_status" -ne "${status:-0}" ]; then
		result 1 "$1:$2 ends with ${status:-0}" "exit status $got_status" "$(cat "$3")" \
			"$(tail -n 30 "$place/out")"
		return
	fi
	result 0 "$1:$2 ends with ${status:-0}"
	[ ! -s "$place/says" ] || while IFS= read -r pattern; do
		like "$1:$2 says '$pattern'" "$place/out" "$pattern"
	done <"$place/says"
}

# page_test NAME FILE DIR: all of a page.  Returns 1 when it has no block to run.
page_test() {
	page=$1
	mkdir -p "$3/blocks"
	awk -v dir="$3/blocks" -f "$ROOT/tests/docs/blocks.awk" "$2"
	grep -q "^\(block\|fault\|skip\|run\)	" "$3/blocks/list" || return 1
	page_start "$3" "$2"
	skip='' needs='' status='' target='' slow=''
	: >"$place/says"
	while IFS='	' read -r kind line argument; do
		case $kind in
		skip) skip=$argument ;;
		needs) needs=$argument ;;
		slow) [ -n "${PAWL_TEST_SLOW:-}" ] || skip='takes many seconds: make check-slow' slow=yes ;;
		status) status=$argument ;;
		file) target=$argument ;;
		says) printf '%s\n' "$argument" >>"$place/says" ;;
		fault) result 1 "$page:$line is sound" "$argument" ;;
		run)
			[ -z "$slow" ] || continue
			page_hidden "$argument"
			[ "$got_status" -eq 0 ] || result 1 "$page:$line prepares the blocks" \
				"exit status $got_status" "$(cat "$argument")" "$(tail -n 30 "$place/out")"
			;;
		block | other)
			if [ -n "$target" ]; then
				target=$(cat "$place/folder")/$target
				mkdir -p "${target%/*}" && cp "$argument" "$target"
				result $? "$page:$line is written as ${target##*/}"
			elif [ "$kind" = block ]; then
				page_block "$page" "$line" "$argument"
			elif [ -n "$skip" ]; then
				skip "$page:$line" "$skip"
			fi
			skip='' needs='' status='' target='' slow=''
			: >"$place/says"
			;;
		esac
	done <"$3/blocks/list"
	page_stop
	return 0
}

# page_links NAME FILE: prints what its relative links lead to and is not there
page_links() {
	awk '/^[ \t]*```/ { inside = !inside; next } !inside' "$2" |
		sed 's/`[^`]*`//g' | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//' | sort -u |
		while IFS= read -r link; do
			case $link in
			http://* | https://* | mailto:*) continue ;;
			esac
			file=${link%%#*}
			case $link in
			*'#'*) anchor=${link#*#} ;;
			*) anchor= ;;
			esac
			[ -n "$file" ] && at=${2%/*}/$file || at=$2
			if [ ! -e "$at" ] || [ "${file#/}" != "$file" ]; then
				echo "$1: $link: no such file"
			elif [ -n "$anchor" ] && ! page_anchors "$at" | grep -qxF -- "$anchor"; then
				echo "$1: $link: no such heading"
			fi
		done
}

# page_anchors FILE: what its headings are called in links
page_anchors() {
	awk '/^[ \t]*```/ { inside = !inside; next } !inside && /^#+ /' "$1" |
		sed 's/^#* *//' | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}
