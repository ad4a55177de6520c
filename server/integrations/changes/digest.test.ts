import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { recordKinds } from '@venue-data/contract/kinds.ts'
import { makeDemo } from '../../demo/make-demo.ts'
import { becomeCopy } from '../../test/processes/restored-copy.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { makeCopy, walkChanges } from './test/follow.ts'

type Block = { readonly from: number; readonly count: number; readonly digest: string }

/** The sums of a copy, made as the reference says and with nothing of the service's. */
const sumsOf = (
  kind: string,
  records: ReadonlyMap<string, { readonly id: number; readonly revision: number }>,
  leftOut: readonly number[] = [],
): Block[] => {
  const blocks = new Map<number, { count: number; sum: bigint }>()
  for (const [key, { id, revision }] of records) {
    if (!key.startsWith(`${kind} `) || leftOut.includes(id)) continue
    const from = Math.floor(id / 1000) * 1000
    const block = blocks.get(from) ?? { count: 0, sum: 0n }
    const hash = createHash('sha256').update(`${kind}|${id}|${revision}`).digest('hex')
    blocks.set(from, { count: block.count + 1, sum: block.sum + BigInt(`0x${hash.slice(0, 32)}`) })
  }
  return [...blocks]
    .map(([from, { count, sum }]) => ({
      from,
      count,
      digest: BigInt.asUintN(128, sum).toString(16).padStart(32, '0'),
    }))
    .toSorted((a, b) => a.from - b.from)
}

describe('the digest of a copy', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const askWith = (key: string) => (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key })
  const digest = (key: string, query: string) =>
    service.call('GET', `/api/v1/changes/digest?${query}`, { key })
  const addGuests = async ({ key }: TestVenue, names: readonly string[]): Promise<number[]> =>
    Promise.all(
      names.map(async (name) => {
        const body = { name, email: `${name.toLowerCase()}@example.com` }
        const answer = await service.call('POST', '/api/v1/guests', { key, body })
        assert.ok(answer.status < 300, answer.text)
        return answer.body.guest.id
      }),
    )
  const copyOf = async (key: string) => {
    const copy = makeCopy()
    const { items, next } = await walkChanges(askWith(key), undefined, 'limit=1000')
    copy.apply(items)
    return { ...copy, next }
  }
  const change = (venue: TestVenue, id: number, name: string) =>
    service.call('PATCH', `/api/v1/guests/${id}`, {
      key: venue.key,
      body: { name },
      headers: { 'if-match': '*' },
    })

  it('has for every kind of the demo the sums of a copy that read everything', async () => {
    const { keys } = await makeDemo(service.context, { scale: 0.05 })
    const key = keys.readWrite
    const copy = await copyOf(key)
    for (const kind of recordKinds) {
      const { status, text, body } = await digest(key, `kind=${kind}&after=${copy.next}`)
      assert.equal(status, 200, text)
      assert.deepEqual(body, { kind, blocks: sumsOf(kind, copy.records), changedSince: [], next: null })
      assert.ok(body.blocks.length > 0, kind)
    }
  })

  it('shows a record that is missing, one that is outdated and one too many, and which they are', async () => {
    const venue = await service.venue()
    const ids = await addGuests(venue, ['Ada', 'Bo', 'Cy', 'Di'])
    const [missing = 0, outdated = 0] = ids
    const { next, records } = await copyOf(venue.key)
    const truth = (await digest(venue.key, `kind=guest&after=${next}`)).body.blocks
    const without = (key: string) => new Map([...records].filter(([one]) => one !== key))
    assert.deepEqual(sumsOf('guest', records), truth)
    for (const wrong of [
      without(`guest ${missing}`),
      new Map(records).set(`guest ${outdated}`, { id: outdated, revision: 7 }),
      new Map(records).set('guest 999', { id: 999, revision: 1 }),
    ]) {
      assert.notDeepEqual(sumsOf('guest', wrong), truth)
    }
    const [{ from }] = truth
    const block = (await digest(venue.key, `kind=guest&after=${next}&block=${from}`)).body
    assert.deepEqual(block, {
      kind: 'guest',
      records: ids.toSorted((a, b) => a - b).map((id) => [id, 1]),
      changedSince: [],
    })
  })

  it('goes on to ids of any size', async () => {
    const venue = await service.venue()
    const ids = await addGuests(venue, ['Ada', 'Bo', 'Cy'])
    for (const [place, far] of [2 ** 31 + 5, 2 ** 48 + 7].entries()) {
      await rowsOf(
        service,
        'update record_change set record_id = $3 where venue_id = $1 and record_id = $2',
        [venue.id, ids[place], far],
      )
    }
    const { next } = await walkChanges(askWith(venue.key), undefined, 'data=none')
    const seen: number[] = []
    for (let from: number | null = 0; from !== null;) {
      const { body } = await digest(venue.key, `kind=guest&after=${next}&from=${from}`)
      for (const { from: block } of body.blocks) {
        const { records } = (await digest(venue.key, `kind=guest&after=${next}&block=${block}`)).body
        seen.push(...records.map(([id]: [number]) => id))
      }
      from = body.next
    }
    assert.deepEqual(seen, [ids[2], 2 ** 31 + 5, 2 ** 48 + 7])
  })

  it('goes on where an answer ends, past ids that do not exist', async () => {
    const venue = await service.venue()
    const [near = 0, far = 0] = await addGuests(venue, ['Ada', 'Bo'])
    // As in a venue with many records: the second is many blocks on.
    await rowsOf(
      service,
      'update record_change set record_id = 700123 where venue_id = $1 and record_id = $2',
      [venue.id, far],
    )
    const { next } = await walkChanges(askWith(venue.key), undefined, 'data=none')
    const first = (await digest(venue.key, `kind=guest&after=${next}`)).body
    assert.deepEqual([first.blocks.length, first.next], [1, 700_000])
    const second = (await digest(venue.key, `kind=guest&after=${next}&from=${first.next}`)).body
    assert.deepEqual(
      [...first.blocks, ...second.blocks],
      [near, 700_123].flatMap((id) => sumsOf('guest', new Map([[`guest ${id}`, { id, revision: 1 }]]))),
    )
    assert.equal(second.next, null)
    const within = (await digest(venue.key, `kind=guest&after=${next}&from=700500`)).body
    assert.deepEqual(within, second, 'a block is never cut')
  })

  it('names what changed after the cursor and has it in no sum, numbered or not, deleted or not', async () => {
    const venue = await service.venue()
    const ids = await addGuests(venue, ['Ada', 'Bo', 'Cy', 'Di'])
    const [numbered = 0, unnumbered = 0, gone = 0] = ids
    const { next, records } = await copyOf(venue.key)
    await change(venue, numbered, 'Ada L')
    await rowsOf(
      service,
      `update record_change set op = 'deleted', gone = true, seq = null where venue_id = $1 and record_id = $2`,
      [venue.id, gone],
    )
    await walkChanges(askWith(venue.key), next)
    await change(venue, unnumbered, 'Bo L')
    const [added = 0] = await addGuests(venue, ['Eve'])
    const { blocks, changedSince } = (await digest(venue.key, `kind=guest&after=${next}`)).body
    assert.deepEqual(
      changedSince,
      [numbered, unnumbered, gone, added].toSorted((a, b) => a - b),
    )
    assert.deepEqual(blocks, sumsOf('guest', records, changedSince))
  })

  it('is never wrong and never refused while eight writers write', async () => {
    const venue = await service.venue()
    const ids = await addGuests(
      venue,
      Array.from({ length: 40 }, (_, place) => `Guest${place}`),
    )
    let isOver = false
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; !isOver; turn++) {
        const id = ids[(writer * 5 + turn) % ids.length] as number
        const { status } = await change(venue, id, `Guest of ${writer}, turn ${turn}`)
        assert.ok(status === 200 || status === 429, `${status}`)
      }
    })
    const { key } = await venue.makeKey('read')
    try {
      const copy = makeCopy()
      let cursor: string | undefined
      for (let turn = 0; turn < 25; turn++) {
        const { items, next } = await walkChanges(askWith(key), cursor, 'limit=1000')
        copy.apply(items)
        cursor = next
        const { status, text, body } = await digest(key, `kind=guest&after=${next}`)
        assert.equal(status, 200, text)
        assert.deepEqual(body.blocks, sumsOf('guest', copy.records, body.changedSince))
      }
    } finally {
      isOver = true
      await Promise.all(writers)
    }
  })

  it('asks to read on first where more than a thousand have changed, or the first copy has not ended', async () => {
    const venue = await service.venue()
    await addGuests(venue, ['Ada', 'Bo'])
    const { body: page } = await askWith(venue.key)('limit=1')
    assert.equal(page.more, true)
    const { next } = await copyOf(venue.key)
    await rowsOf(
      service,
      `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
       select $1, 'guest', i, 'upsert', false, 1, now() from generate_series(5001, 6001) as i`,
      [venue.id],
    )
    for (const query of [`after=${page.next}`, `after=${next}`]) {
      const { status, body } = await digest(venue.key, `kind=guest&${query}`)
      assert.deepEqual([status, body.reason], [409, 'cursor-behind'])
    }
    // Another range has none of them.
    assert.equal((await digest(venue.key, `kind=guest&after=${next}&from=300000`)).status, 200)
  })

  it('a kind the key may not read is 403, another venue’s or an outdated cursor 410, and what cannot be read 400', async () => {
    const venue = await service.venue()
    const { next } = await copyOf(venue.key)
    const { key } = await venue.makeKey('read', 'api', { scopes: ['guests:read'] })
    const refused = await digest(key, `kind=lead&after=${next}`)
    assert.deepEqual([refused.status, refused.body.reason], [403, 'scope-missing'])
    assert.equal((await digest(key, `kind=guest&after=${next}`)).status, 200)
    const other = await service.venue()
    const foreign = await digest(other.key, `kind=guest&after=${next}`)
    assert.deepEqual([foreign.status, foreign.body.reason], [410, 'cursor-of-another-venue'])
    for (const query of [
      '',
      `after=${next}`,
      'kind=guest',
      'kind=guest&after=latest',
      'kind=guest&after=x',
      `kind=guests&after=${next}`,
      `kind=guest&kind=lead&after=${next}`,
      `kind=guest&after=${next}&from=-1`,
      `kind=guest&after=${next}&block=1`,
      `kind=guest&after=${next}&block=x`,
    ]) {
      const { status, body } = await digest(venue.key, query)
      assert.equal(status, 400, query)
      assert.match(body.error, /^(kind|after|from|block) /)
    }
    await addGuests(venue, ['Ada'])
    await copyOf(venue.key)
    await rowsOf(service, 'update change_head set gone_seq = seq where venue_id = $1', [venue.id])
    const forgotten = await digest(venue.key, `kind=guest&after=${next}`)
    assert.deepEqual([forgotten.status, forgotten.body.reason], [410, 'cursor-expired'])
    await rowsOf(service, 'update change_head set filled_at = null where venue_id = $1', [venue.id])
    assert.equal((await digest(venue.key, `kind=guest&after=${next}`)).status, 503)
    const before = (await copyOf(other.key)).next
    await service.context.hold.look()
    await becomeCopy(service)
    // Its own, and no longer known: not another venue’s.
    const restored = await digest(other.key, `kind=guest&after=${before}`)
    assert.deepEqual([restored.status, restored.body.reason], [410, 'cursor-expired'])
    assert.equal((await digest(other.key, `kind=guest&after=${(await copyOf(other.key)).next}`)).status, 200)
  })
})
