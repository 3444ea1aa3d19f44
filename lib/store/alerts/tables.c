#include "lib/store/alerts/tables.h"

#include "lib/base/banned.h"

/*
 * alert: a change for the worse, from when it was seen until it is closed; remaining is what is
 * left of its harm after later improvements, of one without a ratio what it was before; was_state
 * what it was before its result was retracted; closed_by the run that resolved it. target: who is
 * to hear of it; a secret stays in its file.  message: what one target is to be sent about one
 * commit, and how far that came; message_alert, about which alerts.
 */
const char alerts_tables[] =
	"CREATE TABLE alert ("
	" project_id INTEGER NOT NULL, alert_id INTEGER NOT NULL, series_id INTEGER NOT NULL,"
	" kind INTEGER NOT NULL, state INTEGER NOT NULL, branch TEXT NOT NULL,"
	" commit_id INTEGER NOT NULL, base_id INTEGER NOT NULL, run_id INTEGER NOT NULL,"
	" t INTEGER NOT NULL, ratio REAL, low REAL, high REAL, remaining REAL,"
	" opened_us INTEGER NOT NULL, changed_us INTEGER NOT NULL, owner TEXT, note TEXT,"
	" why TEXT, was_state INTEGER, closed_by INTEGER, PRIMARY KEY (project_id, alert_id));"
	"CREATE INDEX alert_by_series ON alert (project_id, series_id, state);"
	"CREATE INDEX alert_by_state ON alert (project_id, state, alert_id);"
	"CREATE INDEX alert_by_run ON alert (project_id, run_id);"
	"CREATE INDEX alert_by_closer ON alert (project_id, closed_by) WHERE closed_by IS NOT NULL;"

	"CREATE TABLE target ("
	" project_id INTEGER NOT NULL, target_id INTEGER NOT NULL, kind INTEGER NOT NULL,"
	" url TEXT NOT NULL, secret_file TEXT, sender TEXT, recipients TEXT, forge TEXT,"
	" repository TEXT, branch TEXT, verdicts_only INTEGER NOT NULL,"
	" allow_private INTEGER NOT NULL, created_us INTEGER NOT NULL,"
	" removed_us INTEGER NOT NULL, PRIMARY KEY (project_id, target_id));"

	"CREATE TABLE message ("
	" project_id INTEGER NOT NULL, message_id INTEGER NOT NULL, target_id INTEGER NOT NULL,"
	" event INTEGER NOT NULL, commit_id INTEGER NOT NULL, id TEXT NOT NULL,"
	" made_us INTEGER NOT NULL, state INTEGER NOT NULL, tries INTEGER NOT NULL,"
	" next_us INTEGER NOT NULL, done_us INTEGER, fault TEXT,"
	" PRIMARY KEY (project_id, message_id));"
	"CREATE INDEX message_waiting ON message (project_id, target_id, message_id)"
	" WHERE state=1;"
	"CREATE TABLE message_alert ("
	" project_id INTEGER NOT NULL, message_id INTEGER NOT NULL, alert_id INTEGER NOT NULL,"
	" PRIMARY KEY (project_id, message_id, alert_id));";

/* counted: up to which run the days were counted on which results came; quiet: of these, for an
   open alert, those since its branch had one. */
const char alerts_quiet[] = "ALTER TABLE project ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;"
			    "UPDATE project SET counted=next_id-1;"
			    "ALTER TABLE alert ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;"
			    "CREATE INDEX alert_gone ON alert (project_id, branch) WHERE state=4;";
