/* The tables of the server's ledger. */
#include "lib/store/alerts/tables.h"
#include "lib/store/ledger/local.h"
#include "lib/store/points/migrate.h"
#include "lib/store/points/places.h"

#include "lib/base/banned.h"

/*
 * Every key starts with the project, and row numbers are made here, not by the database:
 * that is what lets another database, or several, hold the same tables.  apart is 1 for
 * what came with an untrusted token; it is part of every natural key, so the two sides
 * share no row.  Small tables are clustered by their key (WITHOUT ROWID): a join costs one
 * search instead of two; document holds large rows and is not.  A commit that is only known as
 * somebody's baseline has no committed_us.
 */
static const char first[] =
	"CREATE TABLE project ("
	" project_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" created_us INTEGER NOT NULL, next_id INTEGER NOT NULL,"
	" n_series INTEGER NOT NULL, n_series_apart INTEGER NOT NULL);"

	"CREATE TABLE token ("
	" token_id TEXT PRIMARY KEY, project TEXT, sha256 TEXT NOT NULL,"
	" scopes INTEGER NOT NULL, untrusted INTEGER NOT NULL, label TEXT,"
	" created_us INTEGER NOT NULL, expires_us INTEGER NOT NULL,"
	" revoked_us INTEGER NOT NULL);"

	"CREATE TABLE env ("
	" project_id INTEGER NOT NULL, env_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" machine TEXT NOT NULL, facts TEXT NOT NULL,"
	" PRIMARY KEY (project_id, env_id), UNIQUE (project_id, apart, machine)) WITHOUT ROWID;"

	"CREATE TABLE vcs_commit ("
	" project_id INTEGER NOT NULL, commit_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" sha TEXT NOT NULL, parent TEXT, committed_us INTEGER, subject TEXT,"
	" PRIMARY KEY (project_id, commit_id), UNIQUE (project_id, apart, sha)) WITHOUT ROWID;"

	"CREATE TABLE series ("
	" project_id INTEGER NOT NULL, series_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" benchmark TEXT NOT NULL, metric TEXT NOT NULL, env_id INTEGER NOT NULL,"
	" unit TEXT NOT NULL, better INTEGER NOT NULL, gate INTEGER NOT NULL,"
	" PRIMARY KEY (project_id, series_id),"
	" UNIQUE (project_id, apart, benchmark, metric, env_id, unit, better)) WITHOUT ROWID;"

	"CREATE TABLE run ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" id TEXT NOT NULL, sha256 TEXT NOT NULL, commit_id INTEGER, env_id INTEGER NOT NULL,"
	" branch TEXT, dirty INTEGER NOT NULL, base_id INTEGER, how TEXT,"
	" t INTEGER NOT NULL, finished_us INTEGER NOT NULL, received_us INTEGER NOT NULL,"
	" series_ids BLOB NOT NULL,"
	" PRIMARY KEY (project_id, run_id), UNIQUE (project_id, apart, id)) WITHOUT ROWID;"
	"CREATE INDEX run_by_commit ON run (project_id, commit_id);"

	"CREATE TABLE document ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, json BLOB NOT NULL,"
	" PRIMARY KEY (project_id, run_id));"

	/* t is the commit's time in microseconds, since step 4 its place; v the median, low and
	   high its interval. */
	"CREATE TABLE point ("
	" project_id INTEGER NOT NULL, series_id INTEGER NOT NULL, t INTEGER NOT NULL,"
	" run_id INTEGER NOT NULL, n INTEGER NOT NULL, v REAL NOT NULL, low REAL, high REAL,"
	" flags INTEGER NOT NULL, verdict INTEGER NOT NULL, ratio REAL, ratio_low REAL,"
	" ratio_high REAL, base_id INTEGER, how TEXT, moved INTEGER,"
	" PRIMARY KEY (project_id, series_id, t, run_id)) WITHOUT ROWID;"
	"CREATE INDEX point_moved ON point (project_id, run_id) WHERE moved IS NOT NULL;"

	/* Benchmarks of a run that gave no points. */
	"CREATE TABLE outcome ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, benchmark TEXT NOT NULL,"
	" status TEXT NOT NULL, PRIMARY KEY (project_id, run_id, benchmark)) WITHOUT ROWID;"

	/* Always empty: written to see whether writing works. */
	"CREATE TABLE probe (x BLOB);";

/* Of a suite that several jobs measured: which part the run is.  NULL: it is no part. */
static const char second[] = "ALTER TABLE run ADD COLUMN shard INTEGER;"
			     "ALTER TABLE run ADD COLUMN shards INTEGER;"
			     "ALTER TABLE run ADD COLUMN shard_group TEXT;"
			     "ALTER TABLE run ADD COLUMN shard_split TEXT;";

/*
 * Counts that are kept with the project, since counting rows takes longer and longer; and the runs
 * of a branch in the order of a history.
 */
static const char third[] =
	"ALTER TABLE project ADD COLUMN n_runs INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE project ADD COLUMN n_runs_apart INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE project ADD COLUMN n_commits INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE project ADD COLUMN n_benchmarks INTEGER NOT NULL DEFAULT 0;"
	"UPDATE project SET"
	" n_runs=(SELECT count(*) FROM run AS r WHERE r.project_id=project.project_id AND apart=0),"
	" n_runs_apart=(SELECT count(*) FROM run AS r WHERE r.project_id=project.project_id"
	"  AND apart=1),"
	" n_commits=(SELECT count(*) FROM vcs_commit AS c WHERE c.project_id=project.project_id"
	"  AND apart=0 AND committed_us IS NOT NULL),"
	" n_benchmarks=(SELECT count(DISTINCT benchmark) FROM series AS s"
	"  WHERE s.project_id=project.project_id AND apart=0);"
	"CREATE INDEX run_by_branch ON run (project_id, branch, t, run_id);"
	"CREATE INDEX commit_by_time ON vcs_commit (project_id, apart, committed_us, commit_id)"
	" WHERE committed_us IS NOT NULL;";

/*
 * Where a commit stands among the others; t of a run and of a point is that of its commit.  Commits
 * of before are put in order by convert().
 */
static const char fourth[] =
	"ALTER TABLE vcs_commit ADD COLUMN place INTEGER;"
	"DROP INDEX commit_by_time;"
	"CREATE INDEX commit_by_place ON vcs_commit (project_id, apart, place, commit_id)"
	" WHERE place IS NOT NULL;"
	"CREATE INDEX commit_by_parent ON vcs_commit (project_id, apart, parent, place)"
	" WHERE parent IS NOT NULL;";

static const char to_places[] =
	"CREATE TEMP TABLE replaced AS SELECT r.project_id, r.run_id, c.place FROM run AS r"
	" JOIN vcs_commit AS c ON c.project_id=r.project_id AND c.commit_id=r.commit_id"
	" WHERE r.t<>c.place;"
	"CREATE INDEX temp.replaced_by_run ON replaced (project_id, run_id);"
	"UPDATE point SET t=(SELECT place FROM replaced AS x"
	"  WHERE x.project_id=point.project_id AND x.run_id=point.run_id)"
	" WHERE EXISTS (SELECT 1 FROM replaced AS x"
	"  WHERE x.project_id=point.project_id AND x.run_id=point.run_id);"
	"UPDATE run SET t=(SELECT place FROM replaced AS x"
	"  WHERE x.project_id=run.project_id AND x.run_id=run.run_id)"
	" WHERE EXISTS (SELECT 1 FROM replaced AS x"
	"  WHERE x.project_id=run.project_id AND x.run_id=run.run_id);"
	"DROP TABLE temp.replaced;";

/* How json is kept: NULL as it is, as all before; 1 a frame of zstd. */
static const char fifth[] = "ALTER TABLE document ADD COLUMN coding INTEGER;";

/* A checksum each (point_sum()); points of before have none. */
static const char sixth[] = "ALTER TABLE point ADD COLUMN sum INTEGER;";

/*
 * Points are packed: a sheet a run, which stays, and folded of those chunks a series
 * (lib/store/points); n counts them, t1 and run1 are of a chunk's last one.  project says how far
 * it is folded and what its tail counts.  moved names the points of which regressions are told, and
 * run.series_ids is empty from here on: the sheet names them.
 */
static const char seventh[] =
	"CREATE TABLE sheet ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, t INTEGER NOT NULL,"
	" n INTEGER NOT NULL, points BLOB NOT NULL, PRIMARY KEY (project_id, run_id));"
	"CREATE TABLE chunk ("
	" project_id INTEGER NOT NULL, series_id INTEGER NOT NULL, t0 INTEGER NOT NULL,"
	" run0 INTEGER NOT NULL, t1 INTEGER NOT NULL, run1 INTEGER NOT NULL, n INTEGER NOT NULL,"
	" points BLOB NOT NULL, PRIMARY KEY (project_id, series_id, t0, run0));"
	"CREATE TABLE moved ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, series_id INTEGER NOT NULL,"
	" PRIMARY KEY (project_id, run_id, series_id)) WITHOUT ROWID;"
	"ALTER TABLE project ADD COLUMN folded INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE project ADD COLUMN fold_to INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE project ADD COLUMN fold_at INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE project ADD COLUMN n_tail INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE project ADD COLUMN n_tail_points INTEGER NOT NULL DEFAULT 0;";

/* What is not shown: a run (benchmark is empty) or a benchmark of it; and who said so. */
static const char eighth[] =
	"CREATE TABLE retracted ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, benchmark TEXT NOT NULL,"
	" PRIMARY KEY (project_id, run_id, benchmark)) WITHOUT ROWID;"
	"CREATE TABLE audit ("
	" project_id INTEGER NOT NULL, audit_id INTEGER NOT NULL, at_us INTEGER NOT NULL,"
	" who TEXT NOT NULL, action TEXT NOT NULL, id TEXT NOT NULL, benchmark TEXT, why TEXT,"
	" PRIMARY KEY (project_id, audit_id));";

/* Up to which run its histories were watched for steps; what came before is history. */
static const char tenth[] = "ALTER TABLE project ADD COLUMN watched INTEGER NOT NULL DEFAULT 0;"
			    "UPDATE project SET watched=next_id-1;";

/* The parents of a merge but its first, which is with the commit: of those that came since. */
static const char twelfth[] =
	"CREATE TABLE other_parent ("
	" project_id INTEGER NOT NULL, apart INTEGER NOT NULL, parent TEXT NOT NULL,"
	" commit_id INTEGER NOT NULL,"
	" PRIMARY KEY (project_id, apart, parent, commit_id)) WITHOUT ROWID;";

/* For who asks which parents a commit has, and which alerts wait for a result that is retracted. */
static const char thirteenth[] =
	"CREATE INDEX other_parent_by_commit ON other_parent (project_id, commit_id, parent);"
	"CREATE INDEX alert_waiting ON alert (project_id, was_state) WHERE was_state IS NOT NULL;";

static const char *const steps[] = { first,	   second,  third,     fourth,	      fifth,
				     sixth,	   seventh, eighth,    alerts_tables, tenth,
				     alerts_quiet, twelfth, thirteenth };

/*
 * What the steps up to the eighth come to, for engines that began there: in their columns' order.
 * Whoever adds a step adds it behind these, and it is run by all engines (db.h tells how it is to
 * be written).
 */
static const char base[] =
	"CREATE TABLE project ("
	" project_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" created_us INTEGER NOT NULL, next_id INTEGER NOT NULL,"
	" n_series INTEGER NOT NULL, n_series_apart INTEGER NOT NULL,"
	" n_runs INTEGER NOT NULL DEFAULT 0, n_runs_apart INTEGER NOT NULL DEFAULT 0,"
	" n_commits INTEGER NOT NULL DEFAULT 0, n_benchmarks INTEGER NOT NULL DEFAULT 0,"
	" folded INTEGER NOT NULL DEFAULT 0, fold_to INTEGER NOT NULL DEFAULT 0,"
	" fold_at INTEGER NOT NULL DEFAULT 0, n_tail INTEGER NOT NULL DEFAULT 0,"
	" n_tail_points INTEGER NOT NULL DEFAULT 0);"

	"CREATE TABLE token ("
	" token_id TEXT PRIMARY KEY, project TEXT, sha256 TEXT NOT NULL,"
	" scopes INTEGER NOT NULL, untrusted INTEGER NOT NULL, label TEXT,"
	" created_us INTEGER NOT NULL, expires_us INTEGER NOT NULL,"
	" revoked_us INTEGER NOT NULL);"

	"CREATE TABLE env ("
	" project_id INTEGER NOT NULL, env_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" machine TEXT NOT NULL, facts TEXT NOT NULL,"
	" PRIMARY KEY (project_id, env_id), UNIQUE (project_id, apart, machine)) WITHOUT ROWID;"

	"CREATE TABLE vcs_commit ("
	" project_id INTEGER NOT NULL, commit_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" sha TEXT NOT NULL, parent TEXT, committed_us INTEGER, subject TEXT, place INTEGER,"
	" PRIMARY KEY (project_id, commit_id), UNIQUE (project_id, apart, sha)) WITHOUT ROWID;"
	"CREATE INDEX commit_by_place ON vcs_commit (project_id, apart, place, commit_id)"
	" WHERE place IS NOT NULL;"
	"CREATE INDEX commit_by_parent ON vcs_commit (project_id, apart, parent, place)"
	" WHERE parent IS NOT NULL;"

	"CREATE TABLE series ("
	" project_id INTEGER NOT NULL, series_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" benchmark TEXT NOT NULL, metric TEXT NOT NULL, env_id INTEGER NOT NULL,"
	" unit TEXT NOT NULL, better INTEGER NOT NULL, gate INTEGER NOT NULL,"
	" PRIMARY KEY (project_id, series_id),"
	" UNIQUE (project_id, apart, benchmark, metric, env_id, unit, better)) WITHOUT ROWID;"

	"CREATE TABLE run ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, apart INTEGER NOT NULL,"
	" id TEXT NOT NULL, sha256 TEXT NOT NULL, commit_id INTEGER, env_id INTEGER NOT NULL,"
	" branch TEXT, dirty INTEGER NOT NULL, base_id INTEGER, how TEXT,"
	" t INTEGER NOT NULL, finished_us INTEGER NOT NULL, received_us INTEGER NOT NULL,"
	" series_ids BLOB NOT NULL, shard INTEGER, shards INTEGER, shard_group TEXT,"
	" shard_split TEXT,"
	" PRIMARY KEY (project_id, run_id), UNIQUE (project_id, apart, id)) WITHOUT ROWID;"
	"CREATE INDEX run_by_commit ON run (project_id, commit_id);"
	"CREATE INDEX run_by_branch ON run (project_id, branch, t, run_id);"

	"CREATE TABLE document ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, json BLOB NOT NULL,"
	" coding INTEGER, PRIMARY KEY (project_id, run_id));"

	"CREATE TABLE outcome ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, benchmark TEXT NOT NULL,"
	" status TEXT NOT NULL, PRIMARY KEY (project_id, run_id, benchmark)) WITHOUT ROWID;"

	"CREATE TABLE probe (x BLOB);"

	"CREATE TABLE sheet ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, t INTEGER NOT NULL,"
	" n INTEGER NOT NULL, points BLOB NOT NULL, PRIMARY KEY (project_id, run_id));"
	"CREATE TABLE chunk ("
	" project_id INTEGER NOT NULL, series_id INTEGER NOT NULL, t0 INTEGER NOT NULL,"
	" run0 INTEGER NOT NULL, t1 INTEGER NOT NULL, run1 INTEGER NOT NULL, n INTEGER NOT NULL,"
	" points BLOB NOT NULL, PRIMARY KEY (project_id, series_id, t0, run0));"
	"CREATE TABLE moved ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, series_id INTEGER NOT NULL,"
	" PRIMARY KEY (project_id, run_id, series_id)) WITHOUT ROWID;"
	"CREATE TABLE retracted ("
	" project_id INTEGER NOT NULL, run_id INTEGER NOT NULL, benchmark TEXT NOT NULL,"
	" PRIMARY KEY (project_id, run_id, benchmark)) WITHOUT ROWID;"
	"CREATE TABLE audit ("
	" project_id INTEGER NOT NULL, audit_id INTEGER NOT NULL, at_us INTEGER NOT NULL,"
	" who TEXT NOT NULL, action TEXT NOT NULL, id TEXT NOT NULL, benchmark TEXT, why TEXT,"
	" PRIMARY KEY (project_id, audit_id));";

static int convert(struct db *db, int step, struct err *err)
{
	if (step == 3)
		return places_make(db, err) ? -1 : db_exec(db, to_places, err);
	return step == 6 ? migrate_points(db, err) : 0;
}

const struct db_schema ledger_schema = {
	.application = 0x7061776d, /* one more than the local store's */
	.what = "a ledger of pawld",
	.program = "pawld",
	.newer = "start the newer pawld, or restore the copy that was made before it ran",
	.steps = steps,
	.n_steps = 13,
	.base = base,
	.n_base = 8,
	.convert = convert,
};

/* Verdicts are stored as these numbers: a new one goes to the end. */
_Static_assert(VERDICT_REGRESSED == 1 && VERDICT_IMPROVED == 2 && VERDICT_UNCHANGED == 3 &&
		       VERDICT_INCONCLUSIVE == 4 && VERDICT_IDENTICAL == 5 && VERDICT_ADDED == 6 &&
		       VERDICT_REMOVED == 7 && VERDICT_FAILED == 8 && VERDICT_NO_BASELINE == 9,
	       "stored verdicts keep their numbers");
