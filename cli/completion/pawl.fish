# fish completion for pawl, git pawl, pawl-collector and pawl-reporter.
# Written by 'pawl completion fish'.

# The words before the cursor, the command first: nothing while there is none.
function __pawl_words
	set -l words (commandline -opc)
	switch (string replace -r '.*/' '' -- $words[1])
		case pawl-collector
			set words[1] collect
		case pawl-reporter
			set words[1] report
		case '*'
			set -e words[1]
	end
	string join \n -- $words
end

function __pawl_needs_command
	test -z "$(__pawl_words)"
end

# Whether the command on the line is COMMAND and the cursor stands before any "--".
function __pawl_in
	set -l words (__pawl_words)
	test "$words[1]" = $argv[1]; and not contains -- -- $words
end

function __pawl_behind
	set -l words (__pawl_words)
	test -n "$words"; and contains -- -- $words; and __pawl_takes_command $words[1]
end

# Whether the word at the cursor is argument N of COMMAND; without N any.
function __pawl_argument
	set -l words (__pawl_words)
	set -l n 1
	test "$words[1]" = $argv[1]; or return 1
	set -l command $words[1]
	set -e words[1]
	while set -q words[1]
		switch $words[1]
			case --
				return 1
			case '--*=*'
			case '-?*'
				if __pawl_takes_value "$command $words[1]"
					set -q words[2]; or return 1
					set -e words[1]
				end
			case '*'
				set n (math $n + 1)
		end
		set -e words[1]
	end
	set -q argv[2]; or return 0
	test $n = $argv[2]
end

function __pawl_benchmarks
	command pawl completion benchmarks 2>/dev/null
end

function __pawl_machines
	command pawl completion machines 2>/dev/null
end

# By git's own completion where it is loaded.
function __pawl_revisions
	if functions -q __fish_git_ranges
		__fish_git_ranges
		return
	end
	set -l from (string match -r '^.*\.\.' -- (commandline -ct))
	string replace -r '^' -- "$from" HEAD (command git for-each-ref --format='%(refname:short)' 2>/dev/null)
end

# What stands behind "--" is a command line of its own.
function __pawl_command_line
	set -l words (commandline -opc)
	set -l at (contains -i -- -- $words)
	complete -C "$(string escape -- $words[(math $at + 1)..] | string join ' ') $(commandline -ct)"
end

#TABLE#
