# bash completion for pawl, git pawl, pawl-collector and pawl-reporter.
# Written by 'pawl completion bash'; works with and without bash-completion, from bash 3.2 on.

#TABLE#

# The words up to the cursor: bash cuts them at '=' and ':', which names may hold.
_pawl_read_words()
{
	local i piece glue=

	_pawl_words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		piece=${COMP_WORDS[i]}
		if [[ -n $glue || ($i -gt 0 && $piece == [=:]*) ]]; then
			_pawl_words[${#_pawl_words[@]} - 1]+=$piece
		else
			_pawl_words+=("$piece")
		fi
		glue=
		[[ $piece != [=:]* ]] || glue=1
	done
}

# Of the lines $1 those that begin with $cur, "word:description"; a line break ends each.
_pawl_reply_words()
{
	local line word

	while IFS= read -r line; do
		word=${line%%:*}
		[[ -n $word && $word == "$cur"* ]] && COMPREPLY+=("$word")
	done <<<"$1"
}

# _pawl_quote QUOTE: line as it may stand behind that quote, or behind none, and be only a text
_pawl_quote()
{
	local back='\' single="'" double='"' c

	case $1 in
	"$single") line=${line//"$single"/"$single$back$single$single"} ;;
	"$double")
		for c in "$back" "$double" '$' '`'; do
			line=${line//"$c"/"$back$c"}
		done
		line=${line//'!'/"$double$back!$double"} # no backslash holds it within quotes
		;;
	*) printf -v line %q "$line" ;;
	esac
	# behind which readline would set no other
	[[ -z $1 || $line != *"$1" ]] || line+=$1
}

# The same of names, which may hold any character; what stands before a ':' is not replaced.
_pawl_reply_names()
{
	local line quote= prefix double='"'

	case $cur in
	\'*) quote="'" cur=${cur:1} cur=${cur//"'\\''"/"'"} ;;
	\"*)
		quote=$double cur=${cur:1} cur=${cur//"$double\\!$double"/'!'}
		cur=${cur//\\/}
		;;
	*) cur=${cur//\\/} ;;
	esac
	prefix=${cur%"${cur##*[=:]}"}
	[[ -z $quote ]] || prefix=
	while IFS= read -r line; do
		[[ -n $line && $line == "$cur"* ]] || continue
		line=${line#"$prefix"}
		_pawl_quote "$quote"
		COMPREPLY+=("$line")
	done <<<"$1"
}

_pawl_reply_files()
{
	local line

	compopt -o filenames 2>/dev/null
	while IFS= read -r line; do
		[[ -z $line ]] || COMPREPLY+=("$line")
	done <<<"$(compgen -f -- "$cur")"
}

# By git's own completion where there is one.
_pawl_reply_revisions()
{
	local from= list

	if ! declare -F __git_complete_revlist >/dev/null &&
		declare -F _completion_loader >/dev/null; then
		_completion_loader git 2>/dev/null
	fi
	if declare -F __git_complete_revlist >/dev/null; then
		compopt -o nospace 2>/dev/null
		__git_complete_revlist
		return
	fi
	case $cur in
	*..*) from=${cur%"${cur##*..}"} ;;
	esac
	list=$({ echo HEAD; git for-each-ref --format='%(refname:short)'; } 2>/dev/null)
	from=${from//\\/}
	_pawl_reply_names "$from${list//$'\n'/$'\n'"$from"}"
}

# _pawl_reply KIND WORDS
_pawl_reply()
{
	case $1 in
	words) _pawl_reply_words "${2// /$'\n'}" ;;
	benchmark) _pawl_reply_names "$(command pawl completion benchmarks 2>/dev/null)" ;;
	machine) _pawl_reply_names "$(command pawl completion machines 2>/dev/null)" ;;
	revision) _pawl_reply_revisions ;;
	file) _pawl_reply_files ;;
	command) _pawl_reply_words "$_pawl_commands" ;;
	esac
}

# What stands behind "--" is a command line of its own.
_pawl_reply_command()
{
	local i

	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != -- ]] || break
	done
	if declare -F _command_offset >/dev/null; then
		_command_offset $((i + 1))
	elif ((COMP_CWORD == i + 1)); then
		COMPREPLY=($(compgen -c -- "$cur"))
		_pawl_reply_files
	else
		_pawl_reply_files
	fi
}

_pawl()
{
	local cur kind words list command= at=1 n=0 j last
	local -a _pawl_words

	COMPREPLY=()
	_pawl_read_words
	last=$((${#_pawl_words[@]} - 1))
	cur=${_pawl_words[last]}
	case ${_pawl_words[0]##*/} in
	pawl-collector) command=collect ;;
	pawl-reporter) command=report ;;
	git) # which wants blanks behind its words to be its own affair
		compopt +o nospace 2>/dev/null
		while ((at < last)) && [[ ${_pawl_words[at]} != pawl ]]; do
			at=$((at + 1))
		done
		at=$((at + 1))
		;;
	esac
	if [[ -z $command ]]; then
		if ((at >= last)); then
			_pawl_reply_words "$_pawl_commands"
			[[ $cur != -* ]] || _pawl_reply_words $'--help\n--version\n--exec-path'
			return
		fi
		command=${_pawl_words[at]}
		at=$((at + 1))
	fi
	for ((j = at; j < last; j++)); do
		case ${_pawl_words[j]} in
		--)
			! _pawl_takes_command "$command" || _pawl_reply_command
			return
			;;
		--*=*) ;;
		-?*)
			_pawl_value "$command" "${_pawl_words[j]}" || continue
			j=$((j + 1))
			((j < last)) || { _pawl_reply "$kind" "$words"; return; }
			;;
		*) n=$((n + 1)) ;;
		esac
	done
	case $cur in
	--*=*)
		! _pawl_value "$command" "${cur%%=*}" || {
			cur=${cur#*=}
			_pawl_reply "$kind" "$words"
		}
		;;
	-*)
		_pawl_options "$command"
		_pawl_reply_words "$list"
		;;
	*)
		_pawl_argument "$command" $((n + 1))
		_pawl_reply "$kind" "$words"
		;;
	esac
}

# For git's completion, as 'git pawl'.
_git_pawl()
{
	_pawl
}

complete -F _pawl pawl git-pawl pawl-collector pawl-reporter
