/* ledger_undo - SQL that makes an earlier schema of today's ledger, a step at a time. */
#ifndef PAWL_TESTS_UNIT_STORE_LEDGER_UNDO_H
#define PAWL_TESTS_UNIT_STORE_LEDGER_UNDO_H

#define UNDO_SIXTH "ALTER TABLE point DROP COLUMN sum; PRAGMA user_version=5;"

#define UNDO_FIFTH "ALTER TABLE document DROP COLUMN coding; PRAGMA user_version=4;"

#define UNDO_FOURTH \
	"DROP INDEX commit_by_place; DROP INDEX commit_by_parent;" \
	"ALTER TABLE vcs_commit DROP COLUMN place;" \
	"CREATE INDEX commit_by_time ON vcs_commit (project_id, apart, committed_us, commit_id)" \
	" WHERE committed_us IS NOT NULL; PRAGMA user_version=3;"

#define UNDO_THIRD \
	"DROP INDEX run_by_branch; DROP INDEX commit_by_time;" \
	"ALTER TABLE project DROP COLUMN n_runs; ALTER TABLE project DROP COLUMN n_runs_apart;" \
	"ALTER TABLE project DROP COLUMN n_commits;" \
	"ALTER TABLE project DROP COLUMN n_benchmarks; PRAGMA user_version=2;"

#define UNDO_SECOND \
	"ALTER TABLE run DROP COLUMN shard; ALTER TABLE run DROP COLUMN shards;" \
	"ALTER TABLE run DROP COLUMN shard_group; ALTER TABLE run DROP COLUMN shard_split;" \
	"PRAGMA user_version=1;"

#endif
