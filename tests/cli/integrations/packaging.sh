# packaging/: the formula and the container file, held to what can be had without Homebrew and without
# a builder of images; in the long run the container file is carried out in a root of its own.
. "$(dirname "$0")/../../lib.sh"

formula=$ROOT/packaging/homebrew/pawl.rb
container=$ROOT/packaging/container/Containerfile

# ---- Homebrew ---------------------------------------------------------------------------------------

if command -v ruby >/dev/null; then
	check 'the formula is Ruby' ruby -c "$formula"
else
	skip 'the formula is Ruby' 'ruby is not installed'
fi
# What make links and pawl opens, by the names that each list of packages has for it.
for package in $(sed -n 's/^\(CORE\|LATE\|SERVER\)_PACKAGES *= //p' "$ROOT/Makefile"); do
	case $package in
	expat) name=expat debian=libexpat1-dev ;;
	libcurl) name=curl debian=libcurl4-openssl-dev ;;
	nettle | hogweed) name=nettle debian=nettle-dev ;;
	gmp) name=gmp debian=libgmp-dev ;;
	sqlite3) name=sqlite debian=libsqlite3-dev ;;
	libzstd) name=zstd debian=libzstd-dev ;;
	zlib) name=zlib debian=zlib1g-dev ;;
	*) name=$package debian=$package-dev ;;
	esac
	like "the formula depends on $name" "$formula" "^  depends_on \"$name\"\$"
	like "  ci/setup names it to Homebrew's users" "$ROOT/ci/setup" "^  Homebrew .* $name "
	like "  debian/control builds with $debian" "$ROOT/debian/control" "^ $debian,*\$"
	like '  the container, too' "$container" "^        .*$debian "
	like '  ci/setup, too' "$ROOT/ci/setup" "[ 	]$debian( |\$)"
done
# No NEEDED names what pawld opens when it is needed: debian/rules must.
sed -n '/-o build\/late\/pawld\.so/,/[^\\]$/p' "$ROOT/debian/rules" >"$T/late"
for package in $(sed -n 's/^LATE_PACKAGES *= //p' "$ROOT/Makefile"); do
	if grep -aq "$package\.so" "$BUILD/pawld"; then
		like "the package of pawld depends on $package" "$T/late" "[ ]$package[ )]"
	fi
done
# Sums that nobody computed must not stand there.
if grep -q '^  url ' "$formula"; then
	like 'a release has its sum' "$formula" '^  sha256 "[0-9a-f]{64}"$'
else
	unlike 'without a release there is no sum' "$formula" '^  sha256 '
	like 'and HEAD alone' "$formula" '^  head '
fi
sed -n '/<<~C/,/^    C$/{/<<~C/d;/^    C$/d;p;}' "$formula" >"$T/one.c"
check 'the program of its test builds' ${CC:-cc} -I"$ROOT/include" -o "$T/one" "$T/one.c" \
	"$BUILD/libpawl.a" $(libpawl_flags)
"$T/one" --min-time 1ms >"$T/out" 2>&1
like 'and runs' "$T/out" '^one '

# ---- the container ----------------------------------------------------------------------------------

# One instruction a line, continued ones joined, comments left out.
sed '/^ *#/d' "$container" | sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | sed '/^ *$/d' >"$T/steps"
check 'it has instructions' [ -s "$T/steps" ]
is 'only those there are' "$(cut -d ' ' -f 1 "$T/steps" | sort -u | tr '\n' ' ')" \
	'CMD COPY ENTRYPOINT FROM RUN USER VOLUME WORKDIR '
sed -n 's/^RUN //p' "$T/steps" >"$T/runs"
while read -r line; do
	echo "$line" >"$T/run.sh"
	check "a shell can read: $(echo "$line" | cut -c 1-40)..." sh -n "$T/run.sh"
	if command -v shellcheck >/dev/null; then
		check '  and shellcheck finds nothing' shellcheck -s sh "$T/run.sh"
	fi
done <"$T/runs"
for stage in $(grep -o -e '--from=[a-z]*' "$T/steps" | cut -d = -f 2); do
	like "the stage $stage is there" "$T/steps" "^FROM [^ ]+ AS $stage\$"
done
is 'what runs is no root' "$(sed -n 's/^USER //p' "$T/steps" | tail -n 1)" pawl
for json in $(sed -n 's/^\(ENTRYPOINT\|CMD\) //p' "$T/steps"); do
	check "$json is JSON" /usr/bin/python3 -c 'import json, sys; json.loads(sys.argv[1])' "$json"
done

what='its instructions build an image that works'
if [ "${PAWL_TEST_SLOW:-}" != 1 ]; then
	skip "$what" 'takes minutes: make check-slow'
	exit
fi
for tool in debootstrap unshare; do
	command -v "$tool" >/dev/null || {
		skip "$what" "$tool is not installed"
		exit
	}
done
if [ "$(id -u)" -ne 0 ]; then
	skip "$what" 'debootstrap needs root'
	exit
fi
. /etc/os-release
release=$(sed -n 's/^FROM debian:\([a-z]*\)-slim.*/\1/p' "$T/steps" | head -n 1)
if [ "$release" != "${VERSION_CODENAME:-}" ]; then
	skip "$what" "its base is $release, and the mirror of this machine is for ${VERSION_CODENAME:-another}"
	exit
fi
mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)*\([^ ]*\) .*/\2/p' \
	/etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
check 'a base is made' debootstrap --variant=minbase "$release" "$T/base" "$mirror"
git clone -q "$ROOT" "$T/context" 2>/dev/null

# The instructions, in roots made of the base: what a builder does, layers aside.
folder=/ user=root n=0 root=
inside() {
	chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"
}
while read -r word rest; do
	case $word in
	FROM)
		n=$((n + 1))
		root=$T/stage$n folder=/
		cp -a "$T/base" "$root"
		case $rest in *' AS '*) ln -s "$root" "$T/stage-${rest##* }" ;; esac
		;;
	RUN)
		inside sh -c "$rest" >"$T/log" 2>&1
		result $? "RUN $(echo "$rest" | cut -c 1-40)..." "$(tail -n 20 "$T/log")"
		;;
	WORKDIR)
		folder=$rest
		mkdir -p "$root$folder"
		;;
	COPY)
		case $rest in
		--from=*)
			from=${rest%% *}
			rest=${rest#* }
			cp -a "$T/stage-${from#--from=}${rest%% *}." "$root${rest##* }"
			;;
		*) cp -a "$T/context/." "$root$folder" ;;
		esac
		;;
	USER) user=$rest ;;
	esac
done <"$T/steps"
as_user() {
	chroot --userspec="$user" "$root" env -i HOME=/var/lib/pawl PATH=/usr/local/bin:/usr/bin:/bin \
		sh -c 'cd /work && exec "$@"' sh "$@"
}
runs 0 'the image has pawl' as_user pawl --version --build-info
runs 0 'and pawld' as_user pawld --version
as_user sh -c 'git init -q . && git config user.name t && git config user.email t@pawl.invalid &&
	git commit -q --allow-empty -m one && git commit -q --allow-empty -m two' >"$T/log" 2>&1
runs 0 'it compares, as a user of its own' as_user pawl compare --build true -- true
like 'two commits of what is mounted' "$T/out" 'identical'
