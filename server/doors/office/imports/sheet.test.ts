import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { forgetUploads } from '../../../data/imports/run.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { importingOwner } from './test/importing-owner.ts'

describe('the sheet after an import', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())
  const now = '2026-10-06T19:00:00Z'

  const file = [
    'Name,Email,Phone,Company,Tags,Notes',
    'Maya,maya@example.com,212 555 0100,Acme,Wine list,Likes the bar',
    'Nia,nia@example.com,,Beta & Co,,',
    'Nobody,,,,,',
    'Nia,nia@example.com,,,,',
  ].join('\n')

  it('says of each row what came, changed or did not and why, and what was not taken', async () => {
    const { venue, owner, bring } = await importingOwner(service)
    await service.call('POST', '/api/v1/guests', { key: venue.key, body: { email: 'maya@example.com' } })
    const { to } = await bring('guests', file)
    assert.match((await owner.get(to)).html, /What happened to each row/)
    const csv = (await owner.get(`${to}/sheet.csv`)).html
    const ids = await rowsOf(service, 'select id from guest where venue_id = $1 order by id', [venue.id])
    const [maya, nia] = ids.map(({ id }) => String(id))
    assert.deepEqual(csv.trim().split('\r\n'), [
      '\uFEFFline,what happened,why,not taken,Name,Email,Phone,Company,Tags,Notes'.replace('\uFEFF', ''),
      `2,"Added to guest ${maya}, Maya: name, phone, tags, staff notes",,Company: Acme,Maya,maya@example.com,212 555 0100,Acme,Wine list,Likes the bar`,
      `3,New guest ${nia},,Company: Beta & Co,Nia,nia@example.com,,Beta & Co,,`,
      '4,Skipped,A guest needs an email address or a phone number with at least 7 digits.,,Nobody,,,,,',
      '5,Already there,,,Nia,nia@example.com,,,,',
    ])
    const shown = await owner.get(`${to}/sheet`)
    assert.match(shown.words, /Line 4 Skipped: A guest needs an email address/)
    assert.match(shown.html, /Beta &amp; Co/)
  })

  it('names the guest a row is added to, in the preview and the sheet, and says what differs and nothing that was not there', async () => {
    const { venue, owner, upload, bring } = await importingOwner(service)
    await service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { name: 'Camille Becker', email: 'camille@example.com', phone: '212 555 0177' },
    })
    const text = 'Name,Email,Phone\nO’Hara,ohara@example.com,212 555 0177\n'
    const { to: ahead } = await upload('guests', text)
    const differ =
      /Added to Camille Becker; the name and email in the file differ and are kept in the staff notes/
    assert.match((await owner.get(ahead ?? '')).words, differ)
    const { to } = await bring('guests', text)
    const { html, words } = await owner.get(`${to}/sheet`)
    assert.match(words, /Belongs to guest \d+, Camille Becker; the name and email in the file differ/)
    assert.doesNotMatch(words, /Added to guest/)
    assert.match(html, /<a class="not-on-paper" href="\/office\/guests\/\d+">Open Camille Becker/)
  })

  it('takes a booking whose end a product only assumed, and counts none twice before it is imported', async () => {
    const { owner, upload } = await importingOwner(service)
    const row = '2026-09-20,19:00,2,Maya,maya@example.com,Assumed Finished,R1\n'
    const { to } = await upload('reservations', `Date,Time,Party,Name,Email,Status,Reference\n${row}${row}`)
    const { words } = await owner.get(to ?? '')
    assert.match(words, /Completed, .*September 20/)
    assert.match(words, /Already there: no change/)
    assert.match(words, /Import 1 of 2 rows/)
  })

  it('says of a booking that is in the book in what the row differs, before the import and after it', async () => {
    const { venue, owner, upload, bring } = await importingOwner(service)
    const file = (rows: readonly string[]) =>
      ['Date,Time,Party,Name,Email,Status,Reference', ...rows].join('\n')
    const as = (time: string, party: number, status = 'Confirmed') =>
      `2026-10-20,${time},${party},Maya,maya@example.com,${status},R1`
    const same = '2026-10-20,20:00,4,Nia,nia@example.com,Confirmed,R2'
    await bring('reservations', file([as('20:00', 2), same]))
    const differs = 'It is in the book already, with another time and party size, and stays as it is there.'
    const corrected = file([as('20:30', 3), same])
    const { to: ahead } = await upload('reservations', corrected)
    const { words } = await owner.get(ahead ?? '')
    assert.ok(words.includes(`Line 2: ${differs}`), words)
    assert.match(words, /Already there: no change/)
    assert.match(words, /Not taken: Line 2: In the book already, and stays as it is there\./)
    assert.doesNotMatch(words, /so is each of the rows that were checked/)
    const { to, known } = await bring('reservations', corrected)
    assert.equal(known, 2)
    const csv = (await owner.get(`${to}/sheet.csv`)).html
    assert.ok(csv.includes(`2,Already there,"${differs}"`), csv)
    assert.match(csv, /3,Already there,,/)
    assert.match((await owner.get(to)).words, /1 to check/)
    const { to: cancelled } = await bring('reservations', file([as('20:00', 2, 'Cancelled')]))
    assert.match((await owner.get(`${cancelled}/sheet.csv`)).html, /with another status, and stays/)
    assert.deepEqual(
      await rowsOf(
        service,
        `select party_size, status, service_minute from reservation where venue_id = $1 and import_key is not null order by id`,
        [venue.id],
      ),
      [
        { party_size: 2, status: 'Confirmed', service_minute: 1200 },
        { party_size: 4, status: 'Confirmed', service_minute: 1200 },
      ],
    )
  })

  it('names the bookings that a file brought, and what to look at', async () => {
    const { owner, bring } = await importingOwner(service)
    const text = 'Date,Time,Party,Email,Tables\n2026-10-20,19:00,2,maya@example.com,ZZ9\n'
    const { to } = await bring('reservations', text)
    const csv = (await owner.get(`${to}/sheet.csv`)).html
    assert.match(csv, /2,New booking \d+\. New guest \d+,Its table is not one of yours/)
    await bring('reservations', text)
  })

  it('is gone with the file after seven days, and at once when a person is erased', async () => {
    const { venue, owner, bring } = await importingOwner(service)
    const { to } = await bring('guests', file)
    const kept = async () =>
      (
        await rowsOf(
          service,
          `select (select count(*) from data_import_part where venue_id = $1)::int as parts,
                  (select count(*) from import_record where venue_id = $1)::int as records`,
          [venue.id],
        )
      )[0]
    assert.deepEqual(await kept(), { parts: 1, records: 3 })
    service.setClock('2026-10-13T18:00:00Z')
    await forgetUploads(service.context).finally(() => service.setClock(now))
    assert.deepEqual(await kept(), { parts: 1, records: 3 })
    service.setClock('2026-10-13T20:00:00Z')
    await forgetUploads(service.context).finally(() => service.setClock(now))
    assert.deepEqual(await kept(), { parts: 0, records: 0 })
    assert.equal((await owner.get(`${to}/sheet`)).status, 404)
    assert.doesNotMatch((await owner.get(to)).html, /What happened to each row/)

    const second = await bring('guests', file)
    const [guest] = await rowsOf(service, 'select id from guest where venue_id = $1 order by id limit 1', [
      venue.id,
    ])
    await owner.post('/office/data/person/erase', { guest: String(guest?.['id']), sure: 'yes' })
    assert.equal((await owner.get(`${second.to}/sheet.csv`)).status, 404)
    const filled = await rowsOf(
      service,
      'select filled from import_record where venue_id = $1 and record_id = $2',
      [venue.id, guest?.['id']],
    )
    assert.ok(filled.every((one) => (one['filled'] as string[]).length === 0))
  })

  it('is the owner’s alone', async () => {
    const { venue, bring } = await importingOwner(service)
    const { to } = await bring('guests', file)
    const host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host')).email)
    for (const path of [`${to}/sheet`, `${to}/sheet.csv`]) assert.equal((await host.get(path)).status, 403)
    const stranger = await importingOwner(service)
    for (const path of [`${to}/sheet`, `${to}/sheet.csv`])
      assert.equal((await stranger.owner.get(path)).status, 404)
  })
})
