/*
 * Keeps a full copy of a venue's records in an SQLite file, and keeps it correct: the first copy, every change after
 * it, changes made while this program or the service was down, and a service restored from a backup.
 *
 *   API=http://127.0.0.1:8080/api/v1 KEY=service_sk_… node keep-a-copy.ts
 *
 * COPY names the file (default copy.db). The key must be able to read everything you want to copy; a read-only key is
 * enough.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

type Change = { kind: string; id: number; data: object | null }
type Page = { changes: Change[]; next: string; more: boolean; kinds: string[] }

const { API, KEY, COPY = 'copy.db' } = process.env
if (!API || !KEY)
  throw new Error('Set API to the address of the API, such as http://127.0.0.1:8080/api/v1, and KEY.')

// Another program reading the file may block it for a moment.
const db = new DatabaseSync(COPY, { timeout: 10_000 })
db.exec(`
  pragma journal_mode = wal;
  create table if not exists record (
    kind text not null, id integer not null, data text not null,
    walk integer not null, -- the last walk from the beginning in which it came, or that it came after
    primary key (kind, id)
  ) without rowid;
  create table if not exists place (next text, walk integer not null, walking integer not null);
  insert into place select null, 1, true where not exists (select 1 from place);
  create table if not exists covered (kind text primary key); -- the kinds that the last page was of
`)

/** Where to continue; `walking` until the end has been reached once. */
const place = db.prepare('select next, walk, walking from place')
const go = db.prepare('update place set next = ?, walking = ?')
const startOver = db.prepare('update place set next = null, walk = walk + 1, walking = true')
/** The newer of two versions stays; during a walk, the first to arrive is stored as it is. */
const keep = db.prepare(`
  insert into record (kind, id, data, walk) values (?, ?, ?, ?)
  on conflict (kind, id) do update set data = excluded.data, walk = excluded.walk
  where walk < excluded.walk or data ->> 'revision' <= excluded.data ->> 'revision'`)
const drop = db.prepare('delete from record where kind = ? and id = ?')
const dropWhatDidNotCome = db.prepare('delete from record where walk < ?')
const isCovered = db.prepare('select 1 from covered where kind = ?')
const forgetCovered = db.prepare('delete from covered')
const cover = db.prepare('insert into covered values (?)')

/** A page is stored completely or not at all, together with its cursor. */
const store = (page: Page): void => {
  const { walk, walking } = place.get() as { walk: number; walking: number }
  db.exec('begin immediate')
  for (const { kind, id, data } of page.changes) {
    if (data === null) drop.run(kind, id)
    else keep.run(kind, id, JSON.stringify(data), walk)
  }
  if (walking && !page.more) dropWhatDidNotCome.run(walk)
  forgetCovered.run()
  for (const kind of page.kinds) cover.run(kind)
  go.run(page.next, walking && page.more ? 1 : 0)
  db.exec('commit')
}

/** The next page, however long it takes; undefined when the cursor is too old. */
const ask = async (after: string | null): Promise<Page | undefined> => {
  const query = new URLSearchParams({ limit: '1000', wait: '20', ...(after !== null && { after }) })
  for (let pause = 1; ; pause = Math.min(2 * pause, 60)) {
    let wait = pause
    try {
      const answer = await fetch(`${API}/changes?${query.toString()}`, {
        headers: { 'X-Service-Key': KEY },
        signal: AbortSignal.timeout(40_000),
      })
      if (answer.status === 200) return (await answer.json()) as Page
      const said = await answer.text()
      // Not every 410: a cursor of another venue must not empty this copy.
      if (answer.status === 410 && JSON.parse(said).reason === 'cursor-expired') return undefined
      if (answer.status < 500 && answer.status !== 429) throw new Refused(`${answer.status}: ${said}`)
      wait = Number(answer.headers.get('retry-after')) || pause
    } catch (error) {
      if (error instanceof Refused) throw error
      // No answer, or an incomplete one: call again.
    }
    await sleep(wait * 1000)
  }
}

/** Repeating it does not help, for example with a revoked key. */
class Refused extends Error {}

for (;;) {
  const { next } = place.get() as { next: string | null }
  const page = await ask(next)
  // Of a kind that the key may read only now, the older records are before the cursor.
  const isFurther = next !== null && page?.kinds.some((kind) => isCovered.get(kind) === undefined)
  if (page && !isFurther) store(page)
  else startOver.run()
}
