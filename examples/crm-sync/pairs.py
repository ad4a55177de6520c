"""Which guest is which contact, what both agreed on, and how far each side was read: an SQLite file (STORE, default crm-sync.db)."""

import json
import os
import sqlite3
from typing import Any

db = sqlite3.connect(os.environ.get("STORE", "crm-sync.db"), timeout=10, isolation_level=None)
db.row_factory = sqlite3.Row
db.execute("create table if not exists pair (guest integer primary key, contact text not null unique, agreed text not null)")
db.execute("create table if not exists cursor (name text primary key, value text not null)")


def pair_of(side: str, value: Any) -> Any:
    """The pair of a `guest` or a `contact`."""
    return db.execute(f"select * from pair where {side} = ?", [value]).fetchone()


def paired_guests() -> list[int]:
    return [row["guest"] for row in db.execute("select guest from pair")]


def pair_up(guest: int, contact: str, agreed: Any) -> None:
    sql = "insert into pair values (?, ?, ?) on conflict (guest) do update set agreed = excluded.agreed"
    db.execute(sql, [guest, contact, json.dumps(agreed)])


def unpair(guest: int, contact: str) -> None:
    db.execute("delete from pair where guest = ? or contact = ?", [guest, contact])


class Cursor:
    """Where one of the feeds was read to."""

    def __init__(self, name: str) -> None:
        self.name = name

    def load(self) -> str | None:
        row = db.execute("select value from cursor where name = ?", [self.name]).fetchone()
        return row and row["value"]

    def save(self, cursor: str | None, /) -> None:
        if cursor is None:
            db.execute("delete from cursor where name = ?", [self.name])
        else:
            db.execute("insert or replace into cursor values (?, ?)", [self.name, cursor])


def pair_of(column: str, value: Any) -> Any:
    return db.execute(f"select * from pair where {column} = ?", [value]).fetchone()
