# pawl compare --reuse: an earlier answer stands in for the same question, and for no other.
. "$(dirname "$0")/../../lib.sh"

# Both commits have the same sources, which decides without a run.
new_repo "$T/repo"
cd "$T/repo" || exit 1
git config pawl.sources b.c
git config pawl.build make
printf 'int main(void) { return 0; }\n' >b.c
commit_all . one
echo text >README
commit_all . 'a document'
mkdir -p "$T/data/deep"
echo aaaa >"$T/data/deep/file"
echo aaaa >"$T/one file"

# anew NAME COMMAND...: nobody asked this yet; the second time it is reused
anew() {
	asked=$1
	shift
	runs 0 "$asked" pawl compare --quick --reuse -- "$@"
	unlike "$asked: it is compared" "$T/err" 'compared already'
	runs 0 "$asked: once more" pawl compare --quick --reuse -- "$@"
	like "$asked: it is reused" "$T/err" 'compared already on this machine'
}

anew 'no file' ./bench
ls -i .git/pawl/receipts >"$T/before"
runs 0 'a third time' pawl compare --quick --reuse -- ./bench
ls -i .git/pawl/receipts >"$T/after"
check 'what was found is not written again' cmp "$T/before" "$T/after"

# One digit of a figure, and what cannot be read at all: never an answer.
receipt=$(echo .git/pawl/receipts/*.json)
for change in 's/identical/unchanged/' 's/.,"sum"/ &/' 's/,"sum".*/}/' 'd'; do
	pawl compare --quick --reuse -- ./bench >"$T/out" 2>&1
	sed -i "$change" "$receipt"
	runs 0 "a receipt that is damaged ($change)" pawl compare --quick --reuse -- ./bench
	unlike 'is none' "$T/err" 'compared already'
done

# ---- files that no commit holds -----------------------------------------------------------------

file=$T/data/deep/file
anew 'a file' ./bench "$file"
echo bbbb >"$file"
anew 'a file of the same length, written anew' ./bench "$file"
anew 'a file behind a sign' ./bench "--data=$file"
echo cccc >"$file"
anew 'another content of it' ./bench "--data=$file"
anew 'a path with a blank' ./bench "$T/one file"
echo bbbb >"$T/one file"
anew 'another content of that' ./bench "$T/one file"
anew 'a file in the words of a shell' sh -c "./bench <'$file'>/dev/null"
echo dddd >"$file"
anew 'another content, in the words of a shell' sh -c "./bench <'$file'>/dev/null"
anew 'a folder' ./bench "$T/data"
echo eeee >"$file"
anew 'a folder in which a file is another one' ./bench "$T/data"
ln -s "$T/one file" "$T/data/link"
anew 'a folder with a link' ./bench "$T/data"
echo cccc >"$T/one file"
anew 'a folder with a link to what is another one' ./bench "$T/data"
anew 'a file that is not there' ./bench "$T/none"
echo aaaa >"$T/none"
anew 'and is there later' ./bench "$T/none"
anew 'a device' ./bench /dev/null
anew 'a path with a blank in the words of a shell' sh -c "./bench \"$T/one file\" x"
echo eeee >"$T/one file"
anew 'another content of that, too' sh -c "./bench \"$T/one file\" x"
echo aaaa >"$T/a=b,c"
anew 'a path with other signs' ./bench "--data=$T/a=b,c" "@$file"
echo bbbb >"$T/a=b,c"
anew 'another content of it' ./bench "--data=$T/a=b,c" "@$file"
echo ffff >"$file"
anew 'another content of what stands behind an @' ./bench "--data=$T/a=b,c" "@$file"

# ---- the program itself, and what is too much ----------------------------------------------------

mkdir "$T/bin"
printf '#!/bin/sh\nexit 0\n' >"$T/bin/some-tool"
chmod +x "$T/bin/some-tool"
PATH=$T/bin:$PATH
anew 'a program of the machine' some-tool
printf '#!/bin/sh\nexit  0\n' >"$T/bin/some-tool"
anew 'a newer one' some-tool

# never NAME COMMAND...: what cannot be told to be the same is compared each time
never() {
	asked=$1
	shift
	runs 0 "$asked" pawl compare --quick --reuse -- "$@"
	runs 0 "$asked: once more" pawl compare --quick --reuse -- "$@"
	unlike "$asked: it is compared" "$T/err" 'compared already'
}
never 'a pattern of a shell' sh -c "cat $T/data/deep/* | ./bench"
never 'a variable of a shell' sh -c './bench "$HOME/data"'
never 'a home folder' sh -c './bench ~/data'
mkdir "$T/many"
# Names of one file: ext4 takes long for so many new ones where as many were deleted.
/usr/bin/python3 -ISc 'import os, sys
os.chdir(sys.argv[1])
open("0", "w").close()
for i in range(1, 10001): os.link("0", str(i))' "$T/many"
never 'more files than are looked at' ./bench "$T/many"
ln -s . "$T/data/round"
never 'a folder that leads into itself' ./bench "$T/data"

# ---- what the configuration says of a benchmark ----------------------------------------------------

git config benchmark.x.command ./bench
runs 0 'a configured one' pawl compare --quick --reuse
runs 0 'once more' pawl compare --quick --reuse
like 'is reused' "$T/err" 'compared already'
git config benchmark.x.cache false
runs 0 'one that may not be kept' pawl compare --quick --reuse
unlike 'is another one' "$T/err" 'compared already'

# ---- files that the build command names -------------------------------------------------------------

echo 'make' >"$T/build.sh"
git config pawl.build "sh $T/build.sh"
anew 'a script that builds' ./bench
echo 'make # otherwise' >"$T/build.sh"
anew 'another content of it' ./bench
