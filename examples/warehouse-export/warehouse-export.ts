/*
 * Writes the changes since the last run to an NDJSON file, for a warehouse to load: run it every night.
 *
 *   API=http://127.0.0.1:8080/api/v1 KEY=service_sk_… node warehouse-export.ts
 *
 * Files go to the folder OUT (default export). `…-changes.ndjson` has a line for each new, changed or deleted record;
 * `data` is null when it is gone. `…-snapshot.ndjson` has every record: on the first run, and when the program has not
 * run for more than a month or the service was restored from a backup. A record that is not in a snapshot is gone.
 *
 * Load the files in the order of their names. A line may come again in the next file; of two lines for the same record,
 * the later one counts. An export continues where the last complete one ended: an interrupted one leaves nothing
 * behind.
 */
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

type Page = { changes: object[]; next: string; more: boolean }

const { API, KEY, OUT = 'export' } = process.env
if (!API || !KEY)
  throw new Error('Set API to the address of the API, such as http://127.0.0.1:8080/api/v1, and KEY.')

const cursorFile = join(OUT, 'cursor')
/** How many times a page is requested before the export gives up until tomorrow. */
const tries = 8

class Expired extends Error {}

const ask = async (after: string | undefined): Promise<Page> => {
  const query = new URLSearchParams({ limit: '1000', ...(after && { after }) })
  for (let pause = 1, left = tries; ; pause *= 2) {
    const answer = await fetch(`${API}/changes?${query.toString()}`, {
      headers: { 'X-Service-Key': KEY },
      signal: AbortSignal.timeout(40_000),
    }).catch(() => undefined)
    if (answer?.status === 200) return (await answer.json()) as Page
    const said = await answer?.text().catch(() => '')
    // Not every 410: a cursor of another venue stops the export.
    if (answer?.status === 410 && said?.includes('"cursor-expired"')) throw new Expired()
    const isBusy = !answer || answer.status === 429 || answer.status >= 500
    if (!isBusy || --left === 0) throw new Error(said ?? `${API} does not answer.`)
    await sleep((Number(answer?.headers.get('retry-after')) || pause) * 1000)
  }
}

/** Writes a file from the cursor to now. The cursor is stored last: a run that stops before that is repeated. */
const exportFrom = async (cursor: string | undefined): Promise<void> => {
  const moment = new Date().toISOString().replaceAll(':', '-')
  const name = `${moment}-${cursor === undefined ? 'snapshot' : 'changes'}.ndjson`
  const part = join(OUT, `${name}.part`)
  const file = await open(part, 'w')
  let lines = 0
  let next = cursor
  try {
    for (let more = true; more;) {
      const page = await ask(next)
      for (const change of page.changes) await file.write(`${JSON.stringify(change)}\n`)
      lines += page.changes.length
      ;({ next, more } = page)
    }
    await file.sync()
  } catch (error) {
    await rm(part)
    throw error
  } finally {
    await file.close()
  }
  await rename(part, join(OUT, name))
  await writeFile(`${cursorFile}.new`, next as string)
  await rename(`${cursorFile}.new`, cursorFile)
  console.log(`${name}: ${lines} lines`)
}

await mkdir(OUT, { recursive: true })
const cursor = await readFile(cursorFile, 'utf8').catch(() => undefined)
try {
  await exportFrom(cursor)
} catch (error) {
  if (!(error instanceof Expired)) throw error
  await exportFrom(undefined)
}
