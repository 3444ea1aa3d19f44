"""Makes questions to a ledger slow behind pawld's back: grow.py DATABASE N.

The first series of project zlib gets N points of uncommitted work, which a history reads and leaves out.
"""
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
db.execute(
    "WITH RECURSIVE more (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM more WHERE i < ?)"
    " INSERT INTO point (project_id, series_id, t, run_id, n, v, flags, verdict)"
    " SELECT p.project_id, p.series_id, p.t + i, p.run_id, 1, 1, 1, 0 FROM more,"
    " (SELECT * FROM point WHERE flags & 2 ORDER BY series_id LIMIT 1) AS p", (int(sys.argv[2]),))
db.commit()
