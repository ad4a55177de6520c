/*
 * Keeps a full copy of a venue's records in an SQLite file, and keeps it true: the first copy, what changes from then
 * on, what came while this program or the service was away, and a service that was restored from a backup.
 *
 *   API=http://127.0.0.1:8080/api/v1 KEY=service_sk_… node keep-a-copy.ts
 *
 * COPY names the file, copy.db without it. The key needs to read whatever is to be copied; it may be a read-only one.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

type Change = { kind: string; id: number; data: object | null }
type Page = { changes: Change[]; next: string; more: boolean }

const { API, KEY, COPY = 'copy.db' } = process.env
if (!API || !KEY)
  throw new Error('Set API to the address of the API, such as http://127.0.0.1:8080/api/v1, and KEY.')

// Somebody who reads the file may hold it up for a moment.
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
`)

/** Where to go on; `walking` until the end has been reached once. */
const place = db.prepare('select next, walk, walking from place')
const go = db.prepare('update place set next = ?, walking = ?')
const startOver = db.prepare('update place set next = null, walk = walk + 1, walking = true')
/** Of two states the later one stays; the first that comes in a walk is taken as it is. */
const keep = db.prepare(`
  insert into record (kind, id, data, walk) values (?, ?, ?, ?)
  on conflict (kind, id) do update set data = excluded.data, walk = excluded.walk
  where walk < excluded.walk or data ->> 'revision' <= excluded.data ->> 'revision'`)
const drop = db.prepare('delete from record where kind = ? and id = ?')
const dropWhatDidNotCome = db.prepare('delete from record where walk < ?')

/** All of a page or nothing of it: the cursor is stored together with what came before it. */
const store = (page: Page): void => {
  const { walk, walking } = place.get() as { walk: number; walking: number }
  db.exec('begin immediate')
  for (const { kind, id, data } of page.changes) {
    if (data === null) drop.run(kind, id)
    else keep.run(kind, id, JSON.stringify(data), walk)
  }
  if (walking && !page.more) dropWhatDidNotCome.run(walk)
  go.run(page.next, walking && page.more ? 1 : 0)
  db.exec('commit')
}

/** The next page, however long it takes to get one; undefined when the cursor is too old. */
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
      if (answer.status === 410) return undefined
      const said = await answer.text()
      if (answer.status < 500 && answer.status !== 429) throw new Refused(`${answer.status}: ${said}`)
      wait = Number(answer.headers.get('retry-after')) || pause
    } catch (error) {
      if (error instanceof Refused) throw error
      // No answer, or half of one: ask again.
    }
    await sleep(wait * 1000)
  }
}

/** No repetition helps, such as with a key that was revoked. */
class Refused extends Error {}

for (;;) {
  const { next } = place.get() as { next: string | null }
  const page = await ask(next)
  if (page) store(page)
  else startOver.run()
}
