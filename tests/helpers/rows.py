"""Asks a database of SQLite; for answer.py."""
import sqlite3


def rows(path, query):
    store = sqlite3.connect(path)
    try:
        return "\n".join(" ".join(map(str, row)) for row in store.execute(query))
    finally:
        store.close()
