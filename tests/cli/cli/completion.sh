# Completion in the real shells: the scripts as `make install` puts them, typed into bash, zsh, fish.
. "$(dirname "$0")/../../lib.sh"

helpers=$ROOT/tests/helpers
share=$T/tree/usr/share
check 'it is installed' make -s -C "$ROOT" MODE="$(basename "$BUILD")" install PREFIX=/usr \
	DESTDIR="$T/tree"
PATH=$T/tree/usr/bin:$PATH
XDG_DATA_DIRS=$share:/usr/share
export PATH XDG_DATA_DIRS

new_repo "$T/repo"
cd "$T/repo" || exit 1
cat >.pawlconfig <<'END2'
[benchmark "deflate"]
	command = ./bench
[benchmark "list:in"]
	command = ./bench
[benchmark "two words"]
	command = ./bench
END2
touch file.json
commit_all . one
git branch feature

# ---- what the scripts ask ---------------------------------------------------------------------------

runs 0 'the benchmarks that are configured' pawl completion benchmarks
is 'are printed' "$(cat "$T/out")" 'deflate
list:in
two words'
check 'and no folder is made' [ ! -e .git/pawl ]
cp .pawlconfig "$T/good"
echo '[pawl' >.pawlconfig
runs 0 'a configuration that is broken' pawl completion benchmarks
is 'gives no names and no noise' "$(cat "$T/out" "$T/err")" ''
cp "$T/good" .pawlconfig
runs 0 'no repository' sh -c 'cd / && pawl completion benchmarks'
is 'gives no names either' "$(cat "$T/out" "$T/err")" ''
runs 0 'machines where nothing was measured' pawl completion machines
is 'are none' "$(cat "$T/out" "$T/err")" ''
runs 2 'a shell that is not known' pawl completion fich
like 'is told with the nearest' "$T/err" "^hint: did you mean 'pawl completion fish'"
runs 2 'no word' pawl completion
like 'is told with those there are' "$T/err" '^hint: pawl completion bash'

commands=$(pawl --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p')

# asks SHELL FUNCTION: FUNCTION, which says "offered" and "every_option", twice: first for its lines, which
# answers_SHELL then completes, all in one process, and then for what it asserts
asks() {
	asking=$T/asked
	: >"$asking"
	"$2"
	asking=
	"answers_$1" <"$T/asked" >"$T/answers" 2>&1
	"$2"
}
asking=

# answer_to LINE: what the process printed behind "#LINE"
answer_to() {
	line="#$1" awk '/^#/ { inside = $0 == ENVIRON["line"]; next } inside' "$T/answers"
}

# every_option SHELL COMMAND...: each option that --help shows is offered, command by command
every_option() {
	shell=$1
	shift
	for command; do
		[ -z "$asking" ] || { echo "pawl $command --" >>"$asking" && continue; }
		pawl "$command" --help >"$T/help"
		{
			sed -n 's/^  \(-.,\|   \) \(--[a-z-]*\).*/\2/p' "$T/help"
			sed -n '/^also: /,/[^,]$/p' "$T/help" | grep -o -e '--[a-z-]*'
		} | sort >"$T/shown"
		"offers_$shell" "pawl $command --" | sed 's/[= ].*//' | sort >"$T/offered"
		is "$shell: the options of $command" "$(cat "$T/offered")" "$(cat "$T/shown")"
	done
}

# offered SHELL LINE WORDS...: that line is completed to these words, one an argument
offered() {
	shell=$1
	line=$2
	shift 2
	[ -z "$asking" ] || { printf '%s\n' "$line" >>"$asking" && return; }
	is "$shell: $line" "$("offers_$shell" "$line")" "$([ $# -eq 0 ] || printf '%s\n' "$@")"
}

# common SHELL: what must hold in every one; of what stands before the word only the last part is
# bash's own (a word ends for it at '=' and ':')
common() {
	offered "$1" 'pawl comp' compare completion
	offered "$1" 'pawl help cal' calibrate
	offered "$1" 'pawl report --js' --json
	offered "$1" 'pawl report --color ' always auto never
	offered "$1" 'pawl history --format h' html
	offered "$1" 'pawl why --format s' svg
	offered "$1" 'pawl import --format goo' google
	offered "$1" 'pawl import --format pa' pawl
	offered "$1" 'pawl report -b defl' deflate
	offered "$1" 'pawl bisect HEAD feature --benchmark defl' deflate
	offered "$1" 'pawl history defl' deflate
	offered "$1" 'pawl history deflate feat' feature
	offered "$1" 'pawl compare feat' feature
	offered "$1" 'pawl import fi' file.json
	offered "$1" 'pawl report --output fi' file.json
	offered "$1" 'pawl hook ' install status uninstall
	offered "$1" 'pawl hook install '
	offered "$1" 'pawl token rev' revoke
	offered "$1" 'pawl compare -- pawl-coll' pawl-collector
	offered "$1" 'pawl-reporter --js' --json
	offered "$1" 'pawl nosuch '
	offered "$1" 'git pawl comp' compare completion
	offered "$1" 'git pawl report --format ma' markdown
	offered "$1" 'git pawl compare feat' feature
}

# ---- bash -------------------------------------------------------------------------------------------

# The line cut as readline cuts it.
offers_bash() {
	case $1 in git*) load=$load_git ;; *) load=$load_pawl ;; esac
	# shellcheck disable=SC2046,SC2086  # words on purpose
	set -- $(echo "$1" | sed 's/\([=:]\)/ \1 /g; s/ $/ EMPTY/')
	for word; do
		shift
		[ "$word" != EMPTY ] || word=
		set -- "$@" "$word"
	done
	bash --norc "$helpers/complete.bash" "$load" "$@" 2>&1
}

loader=/usr/share/bash-completion/bash_completion
if command -v bash >/dev/null; then
	load_pawl=". '$share/bash-completion/completions/pawl'"
	load_git="$load_pawl; complete -F _git_pawl git"
	common bash
	# from the same table as zsh's and fish's; each word starts bash
	if [ -n "${PAWL_TEST_SLOW:-}" ]; then every_option bash $commands; else every_option bash compare token; fi
	offered bash 'pawl report -b list:' in
	offered bash 'pawl report --benchmark=list:i' in
	offered bash 'pawl report --color=al' always
	offered bash 'pawl report -b tw' 'two\ words'
	offered bash "pawl report -b 'tw" 'two words'
	offered bash 'pawl compare HEAD..feat' HEAD..feature
	is 'bash: evaluated by hand' "$(load_pawl='eval "$(pawl completion bash)"' &&
		offers_bash 'pawl comp' | head -n 1)" compare
	bash --norc -n "$share/bash-completion/completions/pawl"
	result $? 'bash: the script is sound'
	/usr/bin/python3 -IS "$helpers/terminal.py" \
		-t "PS1=; $load_pawl\\npawl comple\\t\\x01echo \"\\x05|\"\\nexit\\n" 80 \
		env TERM=dumb bash --norc -i >"$T/typed" 2>&1
	like 'bash: typed on a terminal, with a blank behind' "$T/typed" '^pawl completion \|$'
	# names of benchmarks and of branches come from the repository, which may be a stranger's
	cat >.pawlconfig <<'END2'
[benchmark "x$(touch${IFS}ran)`touch${IFS}ran`"]
	command = ./bench
[benchmark "y';touch${IFS}ran;'!"]
	command = ./bench
END2
	git branch 'z$(touch${IFS}ran)'
	# shellcheck disable=SC2016  # nothing here is to be expanded
	for typed in 'pawl report -b x' 'pawl report -b "x' "pawl report -b 'x" 'pawl report -b y' \
		'pawl report -b "y' "pawl report -b 'y" 'pawl compare z' 'pawl compare HEAD..z' \
		'pawl compare "z'; do
		/usr/bin/python3 -IS "$helpers/terminal.py" \
			-t "PS1=; $load_pawl\\n$typed\\t\\x01printf \"<%s>\" \\x05\\nexit\\n" 80 \
			env TERM=dumb bash --norc -i >"$T/typed" 2>&1
		check "bash: $typed completed and sent runs nothing" [ ! -e ran ]
		rm -f ran
		like 'and is that name' "$T/typed" \
			'<(HEAD\.\.)?(x\$\(touch\$\{IFS\}ran\)`touch\$\{IFS\}ran`|y.;touch\$\{IFS\}ran;.!|z\$\(touch\$\{IFS\}ran\))>'
	done
	cp "$T/good" .pawlconfig
else
	skip 'bash' 'bash is not installed'
fi
if command -v bash >/dev/null && [ -f "$loader" ]; then
	load_pawl=". $loader; _completion_loader pawl"
	load_git=". $loader; _completion_loader git"
	offered bash 'pawl compare feat' feature
	offered bash 'pawl compare HEAD..feat' HEAD..feature
	offered bash 'pawl compare -- git pawl comp' compare completion
	if [ -f /usr/share/bash-completion/completions/git ]; then
		offered bash 'git pawl comp' compare completion
		offered bash 'git paw' pawl
		offered bash 'git -C . pawl report -b defl' deflate
		offered bash 'git pawl compare HEAD..feat' HEAD..feature
		/usr/bin/python3 -IS "$helpers/terminal.py" \
			-t "PS1=; . $loader\\ngit pawl comple\\t\\x01echo \"\\x05|\"\\nexit\\n" 80 \
			env TERM=dumb bash --norc -i >"$T/typed" 2>&1
		like 'bash: typed behind git, with one blank' "$T/typed" '^git pawl completion \|$'
	else
		skip 'bash: git pawl by git'\''s own completion' 'git brings none here'
	fi
else
	skip 'bash with bash-completion' 'bash-completion is not installed'
fi

# ---- zsh --------------------------------------------------------------------------------------------

answers_zsh() {
	tr '\n' '\0' | xargs -0 zsh -f "$helpers/complete.zsh" "$share/zsh/site-functions" "$T/zcompdump"
}
offers_zsh() {
	answer_to "$1"
}
zsh_offers() {
	common zsh
	every_option zsh compare token # from the same table as fish's
	offered zsh 'pawl report -b list:' list:in
	offered zsh 'pawl report --benchmark=list:i' list:in
	offered zsh 'pawl report --color=al' always
	offered zsh 'pawl report -b tw' 'two words'
	offered zsh 'pawl compare HEAD..feat' feature
	offered zsh 'git paw' pawl
}

if ! command -v zsh >/dev/null; then
	skip 'zsh' 'zsh is not installed'
elif ! zsh -fc 'zmodload zsh/zpty' 2>/dev/null; then
	skip 'zsh' 'this zsh has no zpty to be typed into'
else
	asks zsh zsh_offers
fi

# ---- fish -------------------------------------------------------------------------------------------

# What stands before a '=' is part of fish's answer; descriptions are behind a tab.
answers_fish() {
	fish -c 'while read -l line; echo "#$line"; complete -C "$line"; end'
}
offers_fish() {
	answer_to "$1" | cut -f 1 | sort
}
fish_offers() {
	common fish
	every_option fish $commands
	offered fish 'pawl report -b list:' list:in
	offered fish 'pawl report --benchmark=list:i' --benchmark=list:in
	offered fish 'pawl report --color=al' --color=always
	offered fish 'pawl report -b tw' 'two words'
	offered fish 'pawl compare HEAD..feat' HEAD..feature
	offered fish 'git paw' pawl
}
if command -v fish >/dev/null; then
	asks fish fish_offers
else
	skip 'fish' 'fish is not installed'
fi
