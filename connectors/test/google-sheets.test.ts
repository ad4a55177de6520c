import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { recordKinds } from '@venue-data/contract/kinds.ts'
import { walkChanges } from '../../server/integrations/changes/test/follow.ts'
import type { Work } from '../../server/context.ts'
import { renewEpochs } from '../../server/platform/db/renew-epochs.ts'
import { erasePerson } from '../../server/data/erasure/erase.ts'
import { mergeGuests } from '../../server/crm/guests/merge.ts'
import { staffGuest } from '../../server/crm/guests/staff-reads.ts'
import { deleteReservation } from '../../server/book/reservations/delete-reservation.ts'
import { staff } from '../../server/book/reservations/test/book.ts'
import { setRules } from '../../server/test/open-rules.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'
import { type AppsScript, startAppsScript } from './apps-script.ts'

/*
 * The script of the spreadsheet against a real service: a first copy over many runs, what follows it, a run that is
 * stopped in the middle, and a cursor that is too old.
 */

/** The sheets by kind, as the script names them. */
const sheetOf: Readonly<Record<string, string>> = {
  guest: 'Guests',
  reservation: 'Reservations',
  subscriber: 'Subscribers',
  ticket_order: 'Ticket orders',
  waitlist_entry: 'Waitlist',
  lead: 'Leads',
  task: 'Tasks',
  campaign: 'Campaigns',
  visit: 'Visits',
}

const minute = 60_000

type Rows = Record<string, Record<string, unknown>>

describe('the spreadsheet that keeps a copy', () => {
  let service: TestService
  let venue: TestVenue
  let script: AppsScript
  before(async () => {
    service = await startService()
    venue = await service.venue()
    await setRules(service, venue)
    const { key } = await venue.makeKey('read')
    for (let count = 1; count <= 12; count++) {
      const [name, email] = [`Guest ${count}`, `guest.${count}@example.com`]
      await send('POST', 'guests', { name, email })
      await send('POST', 'reservations', {
        guestName: name,
        email,
        partySize: 2,
        date: '2026-10-09',
        time: '19:00',
      })
      await send('POST', 'leads', { name, email, eventName: `Party ${count}` })
      await send('POST', 'waitlist', { guestName: name, email, partySize: 2 })
      await send('POST', 'subscribers', { email, consent: { source: 'Form' }, tag: 'Wine evenings' })
      await send('POST', 'tasks', { title: `Call ${name}` })
    }
    // Pages of a size at which a few records are many.
    script = await startAppsScript(new URL('../google-sheets/Code.gs', import.meta.url), {
      fetched: (url) => url.replace('limit=500', 'limit=10'),
    })
    await script.set({ BASE_URL: service.url, API_KEY: key })
  })
  after(async () => {
    await script?.stop()
    await service.stop()
  })

  const state = async () => JSON.parse((await script.look()).properties['STATE'] as string)
  const sync = () => script.run({ function: 'sync', msPerFetch: 0 })

  /** Every row of every sheet, by the sheet and its id; what is not text or a number of the API is refused. */
  const rows = async (): Promise<Rows> => {
    const { sheets } = await script.look()
    const found: Rows = {}
    for (const [name, [header = [], ...records]] of Object.entries(sheets)) {
      for (const record of records) {
        const row = Object.fromEntries(
          header.flatMap((field, at) => (field === '' ? [] : [[String(field), record[at]] as const])),
        )
        for (const cell of Object.values(row)) assert.ok(typeof cell !== 'object', JSON.stringify(row))
        const { copy: _, ...fields } = row
        found[`${name} ${String(fields['id'])}`] = fields
      }
    }
    return found
  }
  const truth = async (words = ''): Promise<Rows> => {
    const ask = (query: string) => service.call('GET', `/api/v1/changes?${query}`, { key: venue.key })
    const { items } = await walkChanges(ask, undefined, `limit=1000${words}`)
    return Object.fromEntries(
      items.flatMap(({ kind, id, data }) =>
        data === null ? [] : [[`${sheetOf[kind]} ${id}`, shown(data)] as const],
      ),
    )
  }
  const isTheTruth = async (words = ''): Promise<Rows> => {
    const sheet = await rows()
    assert.deepEqual(sheet, await truth(words))
    return sheet
  }

  const workOf = <T>(act: (work: Work) => Promise<T>): Promise<T> =>
    service.db.transaction((db) =>
      act({
        db: db.within(venue.id),
        venue: { ...venue, plan: 'pro' },
        now: service.context.clock,
      }),
    )
  type Found = { readonly id: number; readonly name: string; readonly email: string | null }
  const newest = async (path: string): Promise<Found[]> =>
    (await service.call('GET', `/api/v1/${path}?limit=100`, { key: venue.key })).body
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { 'if-match': '*' }
    const answer = await service.call(method, `/api/v1/${path}`, { key: venue.key, headers, body })
    assert.ok(answer.status < 300, answer.text)
  }

  it('has a sheet for every kind of record', () => {
    assert.deepEqual(Object.keys(sheetOf).toSorted(), [...recordKinds].toSorted())
  })

  it('fills over as many runs as it takes, none of which goes on for six minutes', async () => {
    for (let runs = 1; ; runs++) {
      const fetched = script.fetches()
      assert.equal(await script.run({ function: 'sync', msPerFetch: 2 * minute }), null)
      assert.ok(script.fetches() - fetched <= 2)
      if ((await state()).copying) continue
      assert.ok(runs > 1)
      break
    }
    await isTheTruth()
  })

  it('follows what came, changed and went, and has nothing of people who were erased', async () => {
    const [kept, merged, erased] = (await newest('guests')).filter(({ email }) => email !== null)
    assert.ok(kept && merged && erased)
    await send('POST', 'leads', {
      name: '=HYPERLINK("http://example.com")',
      phone: '+1 212 555 0199',
      notes: "'quoted",
    })
    await send('POST', 'leads', { name: '007', eventName: '2026-10-09', notes: 'TRUE' })
    await send('PATCH', `guests/${kept.id}`, { phone: '2125550100' })
    const [booking] = await newest('reservations')
    await workOf((work) => deleteReservation(work, staff('manager'), booking?.id as number))
    const seen = async ({ id }: Found) => {
      const row = await staffGuest(service.db, venue.id, id)
      return { id, seenVersion: row?.version as number }
    }
    const [one, other] = [await seen(kept), await seen(merged)]
    await workOf((work) => mergeGuests(work, staff('manager'), one, other))
    const { email, name, id: guestId } = erased
    await workOf((work) => erasePerson(work, staff('owner'), { guestId, email, phone: null, name }))

    assert.equal(await sync(), null)
    const found = await isTheTruth()
    assert.ok(!(`Reservations ${booking?.id}` in found))
    assert.ok(!JSON.stringify(found).includes(email as string))
  })

  it('a run that is stopped anywhere is made up for by the next', async () => {
    for (const writes of [0, 1, 2, 3]) {
      for (const [at, path] of ['guests', 'leads', 'tasks'].entries()) {
        const body = { name: `Ada ${writes}.${at}`, title: 'Call', email: `ada.${writes}.${at}@example.com` }
        await send('POST', path, body)
      }
      const [task] = await newest('tasks')
      await send('POST', `tasks/${task?.id}/complete`, {})
      const failure = await script.run({ function: 'sync', msPerFetch: 0, writes })
      if (writes < 3) assert.match(failure as string, /Exceeded/)
    }
    assert.equal(await sync(), null)
    await isTheTruth()
  })

  it('waits for the next run where the service cannot answer, and says why where the key is refused', async () => {
    const before = await state()
    for (const status of [429, 503]) {
      script.answerWith({ status, text: '{"error":"Wait."}' })
      assert.equal(await sync(), null)
    }
    script.answerWith({ status: 401, text: '{"error":"Send a valid API key."}' })
    assert.equal(await sync(), 'Send a valid API key.')
    script.answerWith({ failed: 'nothing listens' })
    assert.match((await sync()) as string, /Address unavailable/)
    script.answerWith(undefined)
    assert.deepEqual(await state(), before)
    assert.equal(await sync(), null)
  })

  it('says why and keeps every row where its cursor is another venue’s', async () => {
    const properties = JSON.parse(JSON.stringify((await script.look()).properties)) as Record<string, string>
    const before = await rows()
    const { key } = await (await service.venue()).makeKey('read')
    await script.set({ API_KEY: key })
    assert.match((await sync()) ?? '', /belongs to another venue/)
    assert.deepEqual(await rows(), before)
    await script.set({ API_KEY: properties['API_KEY'] as string })
    assert.equal(await sync(), null)
  })

  it('reads everything again when its cursor is too old, and drops what is gone', async () => {
    const [task] = await newest('tasks')
    assert.ok(task)
    await rowsOf(service, 'delete from task where venue_id = $1 and id = $2', [venue.id, task.id])
    await rowsOf(
      service,
      "delete from record_change where venue_id = $1 and kind = 'task' and record_id = $2",
      [venue.id, task.id],
    )
    await renewEpochs(service.db)
    // In the middle of it nothing has been dropped yet.
    assert.equal(await script.run({ function: 'sync', msPerFetch: 2 * minute }), null)
    assert.ok(`Tasks ${task.id}` in (await rows()))
    while ((await state()).copying) assert.equal(await sync(), null)
    const found = await isTheTruth()
    assert.ok(!(`Tasks ${task.id}` in found))
  })

  it('has the older records of a kind that its key may read only now', async () => {
    const { id, key } = await venue.makeKey('read', 'api', { scopes: ['guests:read'] })
    await script.set({ API_KEY: key })
    assert.equal(await sync(), null)
    await send('POST', 'tasks', { title: 'Call the florist' })
    assert.equal(await sync(), null)
    await rowsOf(service, `update api_key set scopes = '{guests:read,tasks:read}' where id = $1`, [id])
    do assert.equal(await sync(), null)
    while ((await state()).copying)
    await isTheTruth('&kinds=guest,task')
    await script.set({ API_KEY: (await venue.makeKey('read')).key })
  })

  it('of other kinds than before, a copy is begun again', async () => {
    await script.set({ KINDS: 'lead,task' })
    assert.equal(await sync(), null)
    await isTheTruth('&kinds=lead,task')
  })
})

/** A record as the sheet shows it. */
const shown = (record: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [
      field,
      value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : value,
    ]),
  )
