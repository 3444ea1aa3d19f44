# Types a line and a tab into an interactive zsh and prints the words that it offers.
#
# usage: zsh -f complete.zsh FOLDER DUMP LINE      FOLDER holds _pawl and _git-pawl; the first call writes DUMP,
#        what compinit found, for the others
zmodload zsh/zpty || exit 77
offered=$(mktemp)
trap 'rm -f $offered' EXIT

# The words are caught where the shell is told of them; asked for their number (-O, -A, -D) it
# works as ever.
zpty probe zsh -f -i
zpty -w probe "PROMPT= OFFERED=${(q)offered} fpath=(${(q)1} \$fpath)
autoload -Uz compinit && compinit -u -C -d ${(q)2}
compadd() {
	local -a found
	if [[ \${(j: :)@[1,(i)(-|--)]} == *-[a-zA-Z]#[OAD]\ * ]]; then
		builtin compadd \"\$@\"
		return
	fi
	builtin compadd -O found \"\$@\"
	(( ! \$#found )) || print -rl -- \$found >>\$OFFERED
	builtin compadd \"\$@\"
}
probe() {
	_main_complete
	print -r -- '#END' >>\$OFFERED
}
zle -C probe complete-word probe
bindkey '^I' probe
print -r -- '#READY' >>\$OFFERED
"
wait_for() {
	local i
	for (( i = 0; i < 100000; i++ )); do # the better part of an hour: the machine may be busy
		! grep -qx -e $1 $offered || return 0
		zpty -r -t probe dummy
		sleep 0.02
	done
	return 1
}
wait_for '#READY' || exit 1
zpty -w -n probe "$3"$'\t'
wait_for '#END' || exit 1
grep -v '^#' $offered | sort -u
zpty -d probe
