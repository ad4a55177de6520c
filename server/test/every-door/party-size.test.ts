import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '@venue-data/contract/limits.ts'
import { readRulesDocument } from '../../book/rules/rules-document.ts'
import type { OfficeVisitor } from '../office.ts'
import { atWork, followed, make } from '../office-forms.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { countOf, rowsOf } from '../rows.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/** Every door a party can come in by has the same greatest size, and says so before anything is written. */
describe('a party of more than 10,000 guests is refused at every door, and one of 10,000 is not', () => {
  let service: TestService
  let venue: TestVenue
  let owner: OfficeVisitor
  const most = limits.partyGuests
  const evening = { guestName: 'Maya', date: '2026-10-09', time: '19:00' }
  const tooMany = /A party can have at most 10,000 guests/
  const written = async (): Promise<number[]> => [
    await countOf(service, 'reservation', venue.id),
    await countOf(service, 'waitlist_entry', venue.id),
  ]
  const nothingWritten = async (act: () => Promise<void>): Promise<void> => {
    const before = await written()
    await act()
    assert.deepEqual(await written(), before)
  }

  before(async () => {
    service = await startService()
    ;({ venue, visitor: owner } = await atWork(service, 'owner'))
    await setRules(service, venue)
  })
  after(() => service.stop())

  it('the API', () =>
    nothingWritten(async () => {
      const body = { ...evening, partySize: most + 1 }
      const answer = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, { error: 'partySize must be a whole number from 1 to 10000.' })
    }))

  it('the forms of bookings, walk-ins and the waitlist', () =>
    nothingWritten(async () => {
      for (const [path, fields] of [
        ['/office/bookings', evening],
        ['/office/waitlist', { guestName: 'Maya' }],
      ] as const) {
        const { status, words } = await make(owner, path, { ...fields, partySize: String(most + 1) })
        assert.equal(status, 400, path)
        assert.match(words, tooMany, path)
      }
      const atDoor = await make(owner, '/office/service/walk-ins', { partySize: String(most + 1) })
      assert.match((await followed(owner, atDoor)).words, tooMany)
    }))

  it('an edit, which leaves the booking as it was', async () => {
    const fields = { ...evening, partySize: String(most) }
    await make(owner, '/office/bookings', fields)
    const [booked] = await rowsOf<{ id: string; party_size: number; version: number }>(
      service,
      'select id, party_size, version from reservation where venue_id = $1',
      [venue.id],
    )
    assert.equal(booked?.party_size, most)
    const edited = await owner.post(`/office/bookings/${booked?.id}/edits`, {
      ...fields,
      version: String(booked?.version),
      partySize: String(most + 1),
    })
    assert.equal(edited.status, 400)
    assert.match(edited.words, tooMany)
    const [after] = await rowsOf(service, 'select party_size from reservation where venue_id = $1', [
      venue.id,
    ])
    assert.equal(after?.['party_size'], most)
  })

  it('what is asked while typing, and the box that tests a request', async () => {
    const typed = new URLSearchParams({ ...evening, partySize: String(most + 1), size: String(most + 1) })
    for (const path of ['/office/bookings/reasons', '/office/settings/test']) {
      assert.match((await owner.get(`${path}?${typed.toString()}`)).words, tooMany, path)
    }
  })

  it('a row of a file', async () => {
    const body = new FormData()
    body.append('file', new Blob([`Party,Date,Time,Name\n${most + 1},2026-10-20,19:00,Maya\n`]), 'book.csv')
    const brought = await fetch(`${service.url}/office/data/imports/reservations`, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: { cookie: owner.cookie(), 'sec-fetch-site': 'same-origin' },
    })
    const shown = await owner.get(brought.headers.get('location') as string)
    assert.match(shown.words, /The number of guests must be a whole number from 0 to 10000\./)
  })

  it('the booking rules', () => {
    const read = readRulesDocument(everyEvening({ maxParty: most + 1 }))
    assert.deepEqual(read, { ok: false, mistakes: ['maxParty must be a whole number from 1 to 10000.'] })
    assert.ok(readRulesDocument(everyEvening({ maxParty: most })).ok)
  })

  it('10,000 are taken by the API and the waitlist', async () => {
    const body = { ...evening, partySize: most }
    const answer = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    assert.equal(answer.body.reservation?.partySize, most, answer.text)
    const joined = await make(owner, '/office/waitlist', { guestName: 'Maya', partySize: String(most) })
    assert.equal(joined.status, 303)
    assert.match(joined.to ?? '', /#w\d+$/)
  })
})
