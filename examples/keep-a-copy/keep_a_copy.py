"""Keeps a full copy of a venue's records in an SQLite file, and keeps it correct: the first copy, every change after it, changes made while this program or the service was down, and a service restored from a backup.

    API=http://127.0.0.1:8080/api/v1 KEY=service_sk_… python3 keep_a_copy.py

COPY names the file (default copy.db). The key must be able to read everything you want to copy; a read-only key is enough.
"""

import http.client
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

try:
    API, KEY = os.environ["API"], os.environ["KEY"]
except KeyError:
    sys.exit("Set API to the address of the API, such as http://127.0.0.1:8080/api/v1, and KEY.")

db = sqlite3.connect(os.environ.get("COPY", "copy.db"), isolation_level=None)
db.executescript(
    """
    pragma journal_mode = wal;
    create table if not exists record (
      kind text not null, id integer not null, data text not null,
      walk integer not null, -- the last walk from the beginning in which it came, or that it came after
      primary key (kind, id)
    ) without rowid;
    create table if not exists place (next text, walk integer not null, walking integer not null);
    insert into place select null, 1, true where not exists (select 1 from place);
    create table if not exists covered (kind text primary key); -- the kinds that the last page was of
    """
)

# The newer of two versions stays; during a walk, the first to arrive is stored as it is.
KEEP = """
    insert into record (kind, id, data, walk) values (?, ?, ?, ?)
    on conflict (kind, id) do update set data = excluded.data, walk = excluded.walk
    where walk < excluded.walk or data ->> 'revision' <= excluded.data ->> 'revision'"""


def store(page, walk, walking):
    """A page is stored completely or not at all, together with its cursor."""
    db.execute("begin immediate")
    for change in page["changes"]:
        name = (change["kind"], change["id"])
        if change["data"] is None:
            db.execute("delete from record where kind = ? and id = ?", name)
        else:
            db.execute(KEEP, (*name, json.dumps(change["data"], ensure_ascii=False), walk))
    if walking and not page["more"]:
        # Records that did not come during the whole walk are gone.
        db.execute("delete from record where walk < ?", (walk,))
    db.execute("delete from covered")
    db.executemany("insert into covered values (?)", [(kind,) for kind in page["kinds"]])
    db.execute("update place set next = ?, walking = ?", (page["next"], walking and page["more"]))
    db.execute("commit")


def ask(after):
    """The next page, however long it takes to get one; None when the cursor is too old."""
    query = {"limit": 1000, "wait": 20, **({"after": after} if after else {})}
    request = urllib.request.Request(
        f"{API}/changes?{urllib.parse.urlencode(query)}", headers={"X-Service-Key": KEY}
    )
    pause = 1
    while True:
        wait = pause
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            said = error.read().decode()
            # Not every 410: a cursor of another venue must not empty this copy.
            if error.code == 410 and json.loads(said)["reason"] == "cursor-expired":
                return None
            if error.code < 500 and error.code != 429:
                # Repeating it does not help, for example with a revoked key.
                sys.exit(f"{error.code}: {said}")
            wait = int(error.headers.get("Retry-After") or pause)
        except (OSError, http.client.HTTPException, ValueError):
            pass  # No answer, or an incomplete one: call again.
        time.sleep(wait)
        pause = min(2 * pause, 60)


while True:
    cursor, walk, walking = db.execute("select next, walk, walking from place").fetchone()
    page = ask(cursor)
    covered = {kind for (kind,) in db.execute("select kind from covered")}
    # Of a kind that the key may read only now, the older records are before the cursor.
    if page and (cursor is None or covered.issuperset(page["kinds"])):
        store(page, walk, walking)
    else:
        db.execute("update place set next = null, walk = walk + 1, walking = true")
