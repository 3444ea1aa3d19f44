# The blocks of one Markdown page and what stands about them in comments, for tests/docs/pages.sh.
#
#	awk -v dir=FOLDER -f blocks.awk PAGE
#
# Writes FOLDER/list, a line "KIND<tab>LINE<tab>ARGUMENT" each, in the order of the page:
#
#	block	a block tagged sh; ARGUMENT is the file it was written to
#	other	a block of another language, likewise
#	run	hidden commands, <!-- test: run ... -->, likewise
#	file, status, says, needs, slow, skip
#		<!-- test: WORD ARGUMENT -->: about the block that comes next
#	fault	what is wrong with the page itself

function put(kind, line, argument) {
	printf "%s\t%d\t%s\n", kind, line, argument >(dir "/list")
}

function open_file(line) {
	file = dir "/" line
	printf "" >file
}

function directive(text, line, word) {
	word = text
	sub(/[ \t\n].*/, "", word)
	sub(/^[^ \t\n]+[ \t\n]*/, "", text)
	if (word == "run") {
		open_file(line)
		print text >file
		close(file)
		put("run", line, file)
	} else if (word ~ /^(file|status|says|needs|slow|skip)$/ && text != "") {
		put(word, line, text)
	} else {
		put("fault", line, "no such test comment: " word " " text)
	}
}

BEGIN { printf "" >(dir "/list") }

in_block && match($0, /^[ \t]*`+[ \t]*$/) {
	close(file)
	put(tag == "sh" ? "block" : "other", start, file)
	# Commands that are not run must say why.
	if (commands && !excused)
		put("fault", start, "commands in a block that is tagged " tag " and has no reason to skip")
	in_block = 0
	excused = 0
	next
}
in_block {
	if (tag == "text" && /^[ \t]*(\$ |sudo |git [a-z]|pawld? [a-z-]|make( |$)|apt|systemctl |docker )/)
		commands = 1
	print >file
	next
}
in_comment {
	if (sub(/[ \t]*-->[ \t]*$/, "")) {
		in_comment = 0
		if ($0 != "")
			code = code "\n" $0
		directive(code, start)
	} else {
		code = code "\n" $0
	}
	next
}
/^<!-- test: / {
	code = $0
	sub(/^<!-- test: /, "", code)
	start = NR
	if (sub(/[ \t]*-->[ \t]*$/, "", code)) {
		if (code ~ /^skip/)
			excused = 1
		directive(code, NR)
	} else {
		in_comment = 1
	}
	next
}
/^[ \t]*```/ {
	tag = $0
	sub(/^[ \t]*`+[ \t]*/, "", tag)
	if (tag == "")
		put("fault", NR, "a block without a language: sh is run, text is not")
	start = NR
	commands = 0
	in_block = 1
	open_file(NR)
	next
}
END {
	if (in_block || in_comment)
		put("fault", start, "is never closed")
}
