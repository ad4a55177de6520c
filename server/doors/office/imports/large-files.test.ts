import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runImports } from '../../../data/imports/run.ts'
import { eventually } from '../../../test/eventually.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'

const megabytes = 1024 * 1024
const notes = 'A table by the window, please; no draught. '.repeat(6)

describe('large files', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** Sends a file as it is made, so that neither side ever has it whole. */
  const upload = async (pieces: AsyncIterable<string>) => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'owner')
    const owner = visitOffice(service)
    await owner.signIn(email)
    const body = async function* () {
      yield '--cut\r\ncontent-disposition: form-data; name="file"; filename="large.csv"\r\ncontent-type: text/csv\r\n\r\n'
      yield* pieces
      yield '\r\n--cut--\r\n'
    }
    const response = await fetch(`${service.url}/office/data/imports/guests`, {
      method: 'POST',
      body: ReadableStream.from(body()).pipeThrough(new TextEncoderStream()),
      duplex: 'half',
      redirect: 'manual',
      headers: {
        cookie: owner.cookie(),
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=cut',
      },
    })
    const html = await response.text()
    return { venue, owner, to: response.headers.get('location') ?? '', status: response.status, html }
  }

  const rows = async function* (bytes: number) {
    yield 'name,email,notes\r\n'
    for (let n = 0, size = 0; size < bytes;) {
      let piece = ''
      for (let i = 0; i < 500; i++) piece += `"Gäste ${++n}",guest${n}@example.com,"${notes}"\r\n`
      size += Buffer.byteLength(piece)
      yield piece
    }
  }

  /** The most memory the process took more than before, while something ran. */
  const memoryOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.memoryUsage.rss()
    let most = before
    const sampling = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 10)
    await work().finally(() => clearInterval(sampling))
    return (most - before) / megabytes
  }

  it('of 50 MB stream within 150 MB of memory, up and through the preview', async () => {
    let to = ''
    const took = await memoryOf(async () => {
      const sent = await upload(rows(50 * megabytes))
      assert.equal(sent.status, 303, sent.html)
      to = sent.to
      assert.ok((await sent.owner.get(to)).html.includes('Gäste 8'))
    })
    const [kept] = await rowsOf<{ size: string; count: number }>(
      service,
      'select file_bytes as size, row_count as count from data_import order by id desc limit 1',
    )
    assert.ok(Number(kept?.size) >= 50 * megabytes && Number(kept?.count) > 100_000, to)
    assert.ok(took < 150, `${took.toFixed()} MB`)
  })

  it('of 50 MB are imported within 100 MB of memory', async () => {
    const memoryOfImport = async (): Promise<number> => {
      const { venue, to, owner } = await upload(rows(50 * megabytes))
      await owner.post(`${to}/start`, { 'column-name': '0', 'column-email': '1', dates: 'month-first' })
      // As if it had been interrupted near its end: what is done is read again and passed over.
      await rowsOf(
        service,
        'update data_import set rows_done = row_count - 400 where venue_id = $1 and state = $2 returning id',
        [venue.id, 'running'],
      )
      const took = await memoryOf(() => runImports(service.context))
      const [kept] = await rowsOf<{ state: string; left: number; made: number }>(
        service,
        'select state, row_count - rows_done as left, made from data_import where venue_id = $1',
        [venue.id],
      )
      assert.deepEqual(kept, { state: 'done', left: 0, made: 400 })
      return took
    }
    // The less of two: what a file needs it needs each time, while the heap of a busy process grows when it likes.
    const took = Math.min(await memoryOfImport(), await memoryOfImport())
    assert.ok(took < 100, `${took.toFixed()} MB`)
  })

  it('beyond 64 MB are refused with a sentence, and nothing of them is kept', async () => {
    const uploads = () =>
      rowsOf<{ uploads: number }>(
        service,
        'select count(distinct upload_id)::int as uploads from data_import_part',
      )
    const before = await uploads()
    const { status, html } = await upload(rows(65 * megabytes))
    assert.equal(status, 400)
    assert.match(html, /larger than 64 MB/)
    assert.deepEqual(await uploads(), before)
  })

  it('whose upload breaks off leave nothing behind', async () => {
    const breaking = async function* () {
      yield* rows(2 * megabytes)
      throw new Error('the line is gone')
    }
    const parts = async () =>
      (
        await rowsOf<{ uploads: number }>(
          service,
          'select count(distinct upload_id)::int as uploads from data_import_part',
        )
      )[0]?.uploads
    const before = await parts()
    await assert.rejects(upload(breaking()))
    await eventually(async () => (await parts()) === before)
    assert.equal((await fetch(`${service.url}/office/sign-in`)).status, 200)
  })

  it('an interrupted import continues where it was; a stopped one stays stopped', async () => {
    const { venue, to, owner } = await upload(rows(250_000))
    const count = async () =>
      (
        await rowsOf<{ n: number }>(service, 'select count(*)::int as n from guest where venue_id = $1', [
          venue.id,
        ])
      )[0]?.n
    await owner.post(`${to}/start`, { 'column-name': '0', 'column-email': '1', dates: 'month-first' })
    const ending = new AbortController()
    const run = runImports(service.context, ending.signal)
    while (((await count()) ?? 0) === 0) await new Promise((resolve) => setImmediate(resolve))
    ending.abort()
    await run
    const halfway = (await count()) ?? 0
    assert.ok(halfway > 0 && halfway < 1_000, `${halfway}`)
    await Promise.all([runImports(service.context), runImports(service.context)])
    assert.equal(await count(), 1_000)
    const { words } = await owner.get(to)
    assert.match(words, /1,000 of 1,000 rows 1,000 new 0 already there 0 skipped/)

    const second = await upload(rows(250_000))
    await second.owner.post(`${second.to}/start`, { 'column-email': '1', dates: 'month-first' })
    await second.owner.post(`${second.to}/cancel`)
    assert.equal(await runImports(service.context), 0)
  })
})
