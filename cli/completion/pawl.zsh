#compdef pawl git-pawl pawl-collector pawl-reporter
#description find performance regressions between commits
# zsh completion for pawl and, as _git-pawl, for git pawl.  Written by 'pawl completion zsh'.

#TABLE#

# By git's own completion where it is loaded.
_pawl_revisions()
{
	local -a revisions

	if (( $+functions[__git_commit_ranges] )); then
		__git_commit_ranges
		return
	fi
	compset -P '*..'
	revisions=(HEAD ${(f)"$(git for-each-ref --format='%(refname:short)' 2>/dev/null)"})
	_wanted revisions expl revision compadd -- $revisions
}

# _pawl_reply KIND WORDS
_pawl_reply()
{
	local expl
	local -a list

	case $1 in
	words) _wanted values expl value compadd -- ${=2} ;;
	benchmark)
		list=(${(f)"$(command pawl completion benchmarks 2>/dev/null)"})
		_wanted benchmarks expl benchmark compadd -- $list
		;;
	machine)
		list=(${(f)"$(command pawl completion machines 2>/dev/null)"})
		_wanted machines expl machine compadd -- $list
		;;
	revision) _pawl_revisions ;;
	file) _files ;;
	command)
		list=(${(f)_pawl_commands})
		_describe -t commands command list
		;;
	*) return 1 ;;
	esac
}

_pawl()
{
	local command= kind words_of list word expl
	local -a all
	integer at=2 n=0 j

	case ${words[1]:t} in
	pawl-collector) command=collect ;;
	pawl-reporter) command=report ;;
	esac
	if [[ -z $command ]]; then
		if (( CURRENT == 2 )); then
			if [[ $PREFIX == -* ]]; then
				compadd -- --help --version --exec-path
			else
				_pawl_reply command
			fi
			return
		fi
		command=${(Q)words[2]}
		at=3
	fi
	for (( j = at; j < CURRENT; j++ )); do
		word=${(Q)words[j]}
		case $word in
		--)
			_pawl_takes_command $command || return 1
			shift $j words
			(( CURRENT -= j ))
			_normal
			return
			;;
		--*=*) ;;
		-?*)
			_pawl_zsh_value $command $word || continue
			(( ++j < CURRENT )) || { _pawl_reply $kind $words_of; return }
			;;
		*) (( ++n )) ;;
		esac
	done
	case $PREFIX in
	--*=*)
		_pawl_zsh_value $command ${PREFIX%%=*} || return 1
		compset -P 1 '*='
		_pawl_reply $kind $words_of
		;;
	-*)
		_pawl_options $command
		all=(${(f)list})
		_describe -o -t options option all
		;;
	*)
		_pawl_zsh_argument $command $(( n + 1 ))
		_pawl_reply $kind $words_of
		;;
	esac
}

# The table says "words", which is zsh's own name for the line.
_pawl_zsh_value()
{
	local -h words

	_pawl_value "$@" || return 1
	words_of=$words
}
_pawl_zsh_argument()
{
	local -h words

	_pawl_argument "$@"
	words_of=$words
}

_pawl "$@"
