/*
 * Which guest is which contact, what both agreed on, and how far each side was read: an SQLite file (STORE, default
 * crm-sync.db).
 */
import { DatabaseSync } from 'node:sqlite'

const { STORE = 'crm-sync.db' } = process.env
const db = new DatabaseSync(STORE, { timeout: 10_000 })
db.exec(`
  create table if not exists pair (guest integer primary key, contact text not null unique, agreed text not null);
  create table if not exists cursor (name text primary key, value text not null);
`)
export type Pair = { guest: number; contact: string; agreed: string }
export const ofGuest = db.prepare('select * from pair where guest = ?')
export const ofContact = db.prepare('select * from pair where contact = ?')
export const pairs = db.prepare('select guest from pair')
export const unpair = db.prepare('delete from pair where guest = ? or contact = ?')
export const pairUp = db.prepare(
  'insert into pair values (?, ?, ?) on conflict (guest) do update set agreed = excluded.agreed',
)
const readCursor = db.prepare('select value from cursor where name = ?')
export const keepCursor = db.prepare('insert or replace into cursor values (?, ?)')
export const dropCursor = db.prepare('delete from cursor where name = ?')
export const cursorOf = (name: string): string | null =>
  (readCursor.get(name)?.['value'] as string | undefined) ?? null
