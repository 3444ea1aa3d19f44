# 'git pawl' for fish's completion of git; what is completed comes from git-pawl.fish.
complete -c git -f -n __fish_git_needs_command -a pawl -d 'Find performance regressions'
complete -c git -f -n '__fish_git_using_command pawl' -a '(__pawl_of_git)'

function __pawl_of_git
	set -l words (commandline -opc)
	set -l at (contains -i -- pawl $words)
	set -e words[1..$at]
	complete -C "git-pawl $(string escape -- $words | string join ' ') $(commandline -ct)"
end
