# A newcomer's first two commands where the projects are of Go and of Rust; contact.sh has the others.
. "$(dirname "$0")/../../lib.sh"
. "$ROOT/tests/contact.sh"

# A go that makes what `go test -c -o PROGRAM PACKAGE` would, with the flags that it was given.
mkdir "$T/tools"
cat >"$T/tools/go" <<'END_OF_FILE'
#!/bin/sh
case $PWD in *network) echo 'go: no such host' >&2; exit 1 ;; esac
mkdir -p "${4%/*}" && printf '#!/bin/sh\n# %s\necho BenchmarkX 1 100 ns/op\n' "$GOFLAGS" >"$4" && chmod +x "$4"
END_OF_FILE
chmod +x "$T/tools/go"
old_path=$PATH
PATH=$T/tools:$PATH
project modules
mkdir -p within/deep network testdata/x
printf 'package x\n\nimport "testing"\n\nfunc BenchmarkX(b *testing.B) {\n}\n' |
	tee x_test.go within/deep/x_test.go network/x_test.go >testdata/x/x_test.go
printf 'module x\n' | tee go.mod within/go.mod >network/go.mod
printf 'all:\n\ttouch %s/made\n\t./start-containers\n' "$T" >Makefile
twice
runs 0 'modules of Go within one another' pawl init
is 'are built from their folders, those that build' "$(git config -f .pawlconfig pawl.build)" \
	'(cd within && go test -c -o ../pawl-bench/within-deep.test ./deep) && go test -c -o pawl-bench/go.test ./'
check 'the Makefile beside them is not made' [ ! -e "$T/made" ]
tree=$(ls -d .git/pawl/trees/*/tree/pawl-bench | head -n 1)
like 'no path of a folder is built in' "$tree/go.test" '^# -trimpath$'

# A cargo whose programs print what Criterion's do, and take the options that those take.
cat >"$T/tools/cargo" <<'END_OF_FILE'
#!/bin/sh
case "$*" in
'build --release' | 'bench --no-run') ;;
'bench --bench * -- --warm-up-time 1 --measurement-time 1 --noplot')
	echo 'Benchmarking sum: Analyzing'
	echo 'sum                     time:   [1.0 us 1.5 us 1.6 us]'
	;;
*) exit 101 ;;
esac
END_OF_FILE
chmod +x "$T/tools/cargo"
project criterion
printf '[package]\nname = "x"\n[dev-dependencies]\ncriterion = "0.5"\n' >Cargo.toml
twice
runs 0 'a crate with Criterion' pawl init
like 'has a benchmark' "$T/out" '^benchmark +criterion: cargo bench .*[(]Cargo.toml[)]$'
runs 0 'which is compared' pawl compare --pairs 12 --measure-identical
like 'by its own name' "$T/out" 'criterion/sum .*1[.]50 us'
PATH=$old_path

# Where rustup keeps its compilers is found by HOME, which is another one here.
RUSTUP_HOME=${RUSTUP_HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)/.rustup}
export RUSTUP_HOME
if ! slow_only 'a crate'; then
	:
elif cargo --version >/dev/null 2>&1; then
	project crate
	mkdir src
	printf '[package]\nname = "tool"\nversion = "0.1.0"\n' >Cargo.toml
	printf 'fn main() {}\n' >src/main.rs
	printf '/target/\n' >.gitignore
	cargo generate-lockfile --offline 2>/dev/null
	twice
	runs 0 'a crate' pawl init
	like 'is built' "$T/out" '^build +cargo build --release$'
	like 'and its program known' "$T/out" '^missing .* pawl compare -- target/release/tool$'
else
	skip 'a crate' 'cargo is not installed, or does not run'
fi
