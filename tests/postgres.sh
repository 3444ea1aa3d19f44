# A PostgreSQL of a test's own: in its scratch folder, on a unix socket alone, and ended with it.
# Behind tests/lib.sh.
#
#   . "$ROOT/tests/postgres.sh"
#   start_postgres || ...          # 1: there is none, $postgres_why says why
#
# PostgreSQL does not run as root: then another user, $as_user, runs it.

# The folder of initdb and postgres, which is not always among PATH.
postgres_bin() {
	for dir in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin; do
		[ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] && bin=$dir
	done
	[ -n "${bin:-}" ]
}

# new_cluster: in $PGDATA_DIR; of tests/run the first script makes one, which takes a second, and the others copy it
new_cluster() {
	template=${TESTS_SHARED:+$TESTS_SHARED/postgres}
	if [ -n "$template" ] && [ -d "$template" ] && [ ! -e "$PGDATA_DIR" ]; then
		cp -a "$template" "$PGDATA_DIR"
		return
	fi
	(cd / && $as_user "$bin/initdb" -D "$PGDATA_DIR" -A trust -E UTF8 --locale=C -U pawl --no-sync \
		>"$T/initdb.log" 2>&1) || return 1
	# Whoever comes second has made his for himself.
	[ -z "$template" ] || { cp -a "$PGDATA_DIR" "$template.$$" && mv -T "$template.$$" "$template"; } 2>/dev/null ||
		rm -rf "$template.$$"
}

# start_postgres [DIR]: where its data are ($T/pg/data)
start_postgres() {
	postgres_user= as_user=
	PG=$T/pg
	"$BUILD/pawld" token list --store "postgresql:///?host=$T" 2>&1 | grep -q 'built without' && {
		postgres_why='pawld was built without libpq'
		return 1
	}
	postgres_bin && command -v setpriv >/dev/null && "$bin/psql" --version >/dev/null 2>&1 || {
		postgres_why='PostgreSQL is not installed'
		return 1
	}
	if [ "$(id -u)" = 0 ]; then
		id postgres >/dev/null 2>&1 && postgres_user=postgres || postgres_user=nobody
		as_user="setpriv --reuid=$postgres_user --regid=$(id -g $postgres_user) --clear-groups"
	fi
	chmod 711 "$T"
	mkdir "$PG"
	[ -z "$postgres_user" ] || chown "$postgres_user" "$PG"
	PGDATA_DIR=${1:-$PG/data}
	new_cluster || {
		postgres_why="initdb failed: $(tail -n 1 "$T/initdb.log")"
		return 1
	}
	run_postgres
}

postgres_answers() {
	"$bin/psql" -h "$PG" -U pawl -d postgres -c 'SELECT 1' >/dev/null 2>&1 && return
	# What a killed one has left must have ended before.
	kill -0 "$POSTGRES_PID" 2>/dev/null || begin_postgres
	return 1
}

begin_postgres() {
	# shellcheck disable=SC2086  # the user is several words, or none
	$as_user "$bin/postgres" -D "$PGDATA_DIR" -c listen_addresses= -c unix_socket_directories="$PG" \
		-c shared_buffers=16MB -c max_connections=60 -c fsync=off >>"$T/postgres.log" 2>&1 </dev/null &
	POSTGRES_PID=$!
	to_stop_last=$POSTGRES_PID
}

# run_postgres: starts it, also again; sets POSTGRES_PID
run_postgres() {
	begin_postgres
	wait_for postgres_answers
}

# stop_postgres [SIGNAL]
stop_postgres() {
	kill -"${1:-INT}" "$POSTGRES_PID" 2>/dev/null
	wait "$POSTGRES_PID" 2>/dev/null
	to_stop_last=
}

# new_database: an empty one; sets STORE
new_database() {
	databases=$((${databases:-0} + 1))
	"$bin/createdb" -h "$PG" -U pawl "pawl$databases" || return 1
	STORE="postgresql://pawl@/pawl$databases?host=$PG"
}

# sql QUERY: what the store answers, a column after another
sql() {
	"$bin/psql" -At -F ' ' "$STORE" -c "$1"
}

# store_bytes: all that it keeps, as text
store_bytes() {
	"$bin/pg_dump" "$STORE"
}
