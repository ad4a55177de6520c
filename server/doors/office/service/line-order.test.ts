import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBook } from '../../../book/reservations/test/book.ts'
import { joinByKey } from '../../../book/waitlist/by-key.ts'
import { joinWaitlist } from '../../../book/waitlist/actions.ts'
import { partiesAhead } from '../../../book/waitlist/reads.ts'
import { bookedAt, hostAtTables, wordsOf as words } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { startService } from '../../../test/service.ts'

/** Tuesday 6 October 2026, 19:36 in New York. */
const now = '2026-10-06T23:36:00Z'
const today = '2026-10-06'

describe('the order of the line', () => {
  const service = madeBefore(() => startService())
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>

  const open = async () => {
    service.setClock(now)
    ;({ book, host, table } = await hostAtTables(service, [{ label: 'B3', most: 2 }]))
  }
  const party = { partySize: 2, phone: '+15035550123', windowStart: null, windowEnd: null }
  const quoted = async (guestName: string, minutes: number): Promise<number> => {
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize: '2', guestName })
    const [row] = await book.query(
      'update waitlist_entry set quoted_minutes = $3, quoted_at = $4 where venue_id = $1 and guest_name = $2 returning id',
      [book.venue.id, guestName, minutes, now],
    )
    return Number(row?.['id'])
  }
  /** An app puts a party in line and quotes nothing. */
  const unquoted = async (guestName: string): Promise<number> => {
    const key = { kind: 'key', id: 1, name: 'App' } as const
    return (await book.act((work) => joinByKey(work, key, { ...party, guestName }))).id
  }
  const namesIn = (html: string): string[] =>
    [...html.matchAll(/<li id="w\d+"[^]*?<\/li>/g)].map(([row]) => /Ada|Ben|Cleo|Dan/.exec(row)?.[0] ?? '')
  const ahead = (entry: number): Promise<number> =>
    book.act(({ db, venue }) => partiesAhead(db, venue.id, today, entry))

  it('is by what was promised; who was promised nothing comes after all who joined before and were, on every page', async () => {
    await open()
    await bookedAt({ book, table }, { guestName: 'Vera Ipson', time: '21:45' }, 'B3')
    const ada = await quoted('Ada', 45)
    const ben = await unquoted('Ben')
    const cleo = await quoted('Cleo', 60)
    const dan = await quoted('Dan', 15)
    const order = ['Dan', 'Ada', 'Ben', 'Cleo']
    const page = (await host.get('/office/service')).html
    assert.deepEqual(namesIn(page), order)
    const row = page.split('<li ').find((one) => one.startsWith('id="w') && one.includes('>Ada<')) ?? ''
    assert.match(words(row), /if Dan doesn’t take it/)
    assert.deepEqual(namesIn((await host.get('/office/waitlist')).html), order)
    assert.deepEqual(await Promise.all([dan, ada, ben, cleo].map(ahead)), [0, 1, 2, 3])

    service.setClock('2026-10-07T00:10:00Z')
    assert.deepEqual(namesIn((await host.get('/office/service')).html), order, 'time alone changes nothing')

    await book.query(`update waitlist_entry set quoted_minutes = 5, quoted_at = $2 where id = $1`, [ben, now])
    assert.deepEqual(namesIn((await host.get('/office/service')).html), ['Ben', 'Dan', 'Ada', 'Cleo'])
  })

  it('has who was promised nothing before those who joined after it and were promised a later time', async () => {
    await open()
    const ben = await unquoted('Ben')
    const ada = await quoted('Ada', 45)
    assert.deepEqual(namesIn((await host.get('/office/service')).html), ['Ben', 'Ada'])
    assert.deepEqual(await Promise.all([ben, ada].map(ahead)), [0, 1])
  })

  it('has last who waits for a place in the book, however long ago they asked', async () => {
    await open()
    service.setClock('2026-10-04T16:00:00Z')
    await book.act((work) =>
      joinWaitlist(
        work,
        { kind: 'guest' },
        { ...party, guestName: 'Cleo', date: today, windowStart: '20:00', windowEnd: '22:00' },
      ),
    )
    service.setClock(now)
    await unquoted('Ben')
    await quoted('Ada', 45)
    assert.deepEqual(namesIn((await host.get('/office/service')).html), ['Ben', 'Ada', 'Cleo'])
  })
})
