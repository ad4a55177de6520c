import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { heldTables, tablesOf } from '../../../book/tables/test/floor.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { chosenIn, guestsOf, importingOwner } from './test/importing-owner.ts'

describe('an owner imports the book', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())

  const newOwner = () => importingOwner(service)
  const guests = (venue: TestVenue) => guestsOf(service, venue)

  describe('reservations', () => {
    const file = [
      'Reservation date,Reservation time,Party,Guest name,Email,Status',
      '10/02/2026,7:30 PM,4,Maya Okafor,maya@example.com,Done',
      '9/25/2026,19:00,2,Maya Okafor,maya@example.com,No Show',
      '9/26/2026,19:00,2,Maya Okafor,maya@example.com,Cancelled by guest',
      '10/20/2026,18:00,6,Nia Berg,nia@example.com,Confirmed',
      '10/02/2026,20:00,2,,,Completed',
      '10/02/2026,20:00,2,,,Completed',
      '10/21/2026,18:00,2,Too Early,early@example.com,Completed',
      '3/14/2027,2:30,2,Nobody,nobody@example.com,Confirmed',
      ',19:00,2,No Day,noday@example.com,Confirmed',
      '10/22/2026,,2,No Time,notime@example.com,Confirmed',
      '10/41/2026,19:00,2,Odd Day,odd@example.com,Confirmed',
    ].join('\n')

    it('past and future: counted for their guests, with events only for those still to come, nothing twice', async () => {
      const { venue, owner, bring } = await newOwner()
      await service.call('POST', '/api/v1/webhooks', {
        key: venue.key,
        body: { url: 'http://127.0.0.1:9/', events: ['guest.created', 'reservation.created'] },
      })
      const first = await bring('reservations', file)
      assert.deepEqual([first.made, first.known, first.refused], [6, 0, 5])
      const report = (await owner.get(`${first.to}/skipped.csv`)).html
      assert.match(report, /8,"The status is Completed, but the booking is still to come\."/)
      assert.match(report, /9,"2:30\sAM does not exist on March 14, 2027/)
      // As somebody with a spreadsheet says it.
      assert.match(report, /10,"?The date is missing\.[^]*11,"?The time is missing\./)
      assert.match(report, /12,"?The date must be a real date, such as 10\/25\/2026\./)
      const maya = (
        await service.call('GET', '/api/v1/guests/find?email=maya@example.com', { key: venue.key })
      ).body
      const one = Array.isArray(maya) ? maya[0] : (maya.guest ?? maya)
      assert.deepEqual(
        [one.visitCount, one.noShowCount, one.cancellationCount, one.lastVisitDate],
        [1, 1, 1, '2026-10-02'],
      )
      const told = await rowsOf<{ name: string; count: string }>(
        service,
        'select name, count(*) from event where venue_id = $1 group by name order by name',
        [venue.id],
      )
      assert.deepEqual(
        told.map(({ name, count }) => [name, Number(count)]),
        [
          ['guest.created', 2],
          ['reservation.created', 1],
        ],
      )
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      assert.equal(body[0].guestName, 'Nia Berg', 'what is still to come is new, history is not')
      assert.equal(body[0].source, 'import')
      assert.equal(body[0].createdAt, '2026-10-06T19:00:00.000Z')
      const again = await bring('reservations', file)
      assert.deepEqual([again.made, again.known, again.refused], [0, 6, 5])
    })

    it('guest.created from an import carries the counters after the import', async () => {
      const { venue, bring } = await newOwner()
      await bring('reservations', file)
      const told = await rowsOf<{ name: string; data: Record<string, unknown> }>(
        service,
        'select name, data::jsonb as data from event where venue_id = $1 order by id',
        [venue.id],
      )
      assert.deepEqual(
        told.map(({ name, data }) => [name, data['name'] ?? data['guestName']]),
        [
          ['guest.created', 'Maya Okafor'],
          ['guest.created', 'Nia Berg'],
          ['reservation.created', 'Nia Berg'],
        ],
        'guests before the bookings they came with',
      )
      const find = async (email: string) =>
        (await service.call('GET', `/api/v1/guests/find?email=${email}`, { key: venue.key })).body[0]
      assert.deepEqual(told[0]?.data, await find('maya@example.com'))
      assert.deepEqual(told[1]?.data, await find('nia@example.com'))
      const { visitCount, noShowCount, cancellationCount, lastVisitDate } = told[0]?.data ?? {}
      assert.deepEqual([visitCount, noShowCount, cancellationCount, lastVisitDate], [1, 1, 1, '2026-10-02'])
    })

    it('cancelled ones have a time and a person: the file’s, otherwise the import’s time and staff', async () => {
      const { venue, owner, bring } = await newOwner()
      const cancelled = await bring(
        'reservations',
        [
          'Date,Time,Party,Name,Status,Cancelled on,Cancelled by,Booked on',
          '2026-09-21,19:00,2,Said by the file,Cancelled,2026-09-18T10:30:00Z,guest',
          '2026-09-22,19:00,2,Says nothing,Cancelled,,',
          '2026-09-23,19:00,2,A word for it,Cancelled by guest,not a date,',
          '2026-09-24,19:00,2,A day to come,Cancelled,2026-12-01,Restaurant',
          '2026-10-20,19:00,2,Still ahead,Cancelled,2026-10-05T10:30:00Z,guest',
          '2026-09-25,19:00,2,Not cancelled,Completed,2026-09-18T10:30:00Z,guest',
          '2026-09-26,19:00,2,Booked later,Cancelled,2026-09-18T10:30:00Z,guest,2026-09-19T10:30:00Z',
        ].join('\n'),
      )
      assert.deepEqual([cancelled.made, cancelled.refused], [7, 0])
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      const now = '2026-10-06T19:00:00.000Z'
      const shown = new Map(
        body.map((one: Record<string, unknown>) => [
          one['guestName'],
          [one['cancelledAt'], one['cancelledBy'], one['createdAt'], one['updatedAt']],
        ]),
      )
      assert.deepEqual(Object.fromEntries(shown), {
        'Said by the file': [
          '2026-09-18T10:30:00.000Z',
          'guest',
          '2026-09-18T10:30:00.000Z',
          '2026-09-18T10:30:00.000Z',
        ],
        'Says nothing': [now, 'staff', '2026-09-22T23:00:00.000Z', now],
        'A word for it': [now, 'guest', '2026-09-23T23:00:00.000Z', now],
        'A day to come': [now, 'staff', '2026-09-24T23:00:00.000Z', now],
        'Still ahead': [
          '2026-10-05T10:30:00.000Z',
          'guest',
          '2026-10-05T10:30:00.000Z',
          '2026-10-05T10:30:00.000Z',
        ],
        'Booked later': [
          '2026-09-18T10:30:00.000Z',
          'guest',
          '2026-09-18T10:30:00.000Z',
          '2026-09-18T10:30:00.000Z',
        ],
        'Not cancelled': [null, null, '2026-09-25T23:00:00.000Z', '2026-09-25T23:00:00.000Z'],
      })
      const exported = (await owner.get('/office/data/export/reservations.csv')).html
      const elsewhere = await newOwner()
      await elsewhere.bring('reservations', exported)
      const there = await service.call('GET', '/api/v1/reservations', { key: elsewhere.venue.key })
      const cancellations = (all: Record<string, string>[]) =>
        Object.fromEntries(
          all.map((one) => [one['guestName'] ?? '', [one['cancelledAt'], one['cancelledBy']]]),
        )
      assert.deepEqual(cancellations(there.body), cancellations(body), 'an export keeps them')
    })

    it('the one named first canceled, in the wording of other systems', async () => {
      const { venue, bring } = await newOwner()
      const said: [status: string, by: string, expected: string][] = [
        ['Cancelled', 'Guest (online)', 'guest'],
        ['Canceled', 'Customer via the site', 'guest'],
        ['CANCELED_BY_DINER', '', 'guest'],
        ['Cancelled by the customer', '', 'guest'],
        ['Cancelled - guest', '', 'guest'],
        ['Canceled by restaurant', '', 'staff'],
        ['Cancelled late', 'Hostess', 'staff'],
        ['Cancelled by guest', 'Host', 'staff'],
        ['Cancelled', 'nobody knows', 'staff'],
      ]
      const rows = said.map(([status, by], n) => `2026-09-0${n + 1},19:00,2,${n},${status},${by}`)
      const { made } = await bring(
        'reservations',
        `Date,Time,Party,Name,Status,Cancelled by\n${rows.join('\n')}`,
      )
      assert.equal(made, said.length)
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      for (const { guestName, status, cancelledBy } of body) {
        assert.deepEqual([status, cancelledBy], ['Cancelled', said[Number(guestName)]?.[2]], guestName)
      }
    })

    it('times without a zone are in the venue’s, and a cancellation date alone means cancelled', async () => {
      const { venue, bring } = await newOwner()
      const { made } = await bring(
        'reservations',
        [
          'Date,Time,Party,Name,Cancelled on,Booked on',
          '2026-09-21,19:00,2,To the minute,2026-09-18 16:30,9/1/2026 4:05 PM',
          '2026-09-22,19:00,2,T between,2026-09-18T16:30:15,2026-09-01',
          '2026-09-23,19:00,2,No such time,2026-09-18 99:99,',
          '2026-10-20,19:00,2,To come,2026-10-05 10:30,',
          '2026-10-21,19:00,2,A dash,-,',
        ].join('\n'),
      )
      assert.equal(made, 5)
      const { body } = await service.call('GET', '/api/v1/reservations', { key: venue.key })
      const shown = body.map((one: Record<string, string>) => [
        one['guestName'],
        [one['status'], one['cancelledAt'], one['cancelledBy'], one['createdAt']],
      ])
      const now = '2026-10-06T19:00:00.000Z'
      assert.deepEqual(Object.fromEntries(shown), {
        'To the minute': ['Cancelled', '2026-09-18T20:30:00.000Z', 'staff', '2026-09-01T20:05:00.000Z'],
        'T between': ['Cancelled', '2026-09-18T20:30:00.000Z', 'staff', '2026-09-01T04:00:00.000Z'],
        'No such time': ['Cancelled', '2026-09-18T04:00:00.000Z', 'staff', '2026-09-18T04:00:00.000Z'],
        'To come': ['Cancelled', '2026-10-05T14:30:00.000Z', 'staff', '2026-10-05T14:30:00.000Z'],
        'A dash': ['Confirmed', null, null, now],
      })
      const told = await rowsOf(service, 'select name from event where venue_id = $1 order by id', [venue.id])
      assert.deepEqual(
        told.map(({ name }) => name),
        ['reservation.created'],
      )
    })

    it('names the rows that do not get the table of the file: taken, or none of the venue’s', async () => {
      const { venue, owner, upload, bring } = await newOwner()
      await setRules(service, venue, everyEvening(tablesOf([{ label: '3', most: 4 }])))
      const file = [
        'Booking number,Date,Time,Party,Name,Status,Tables',
        'A1,12/10/2026,18:00,2,Import One,Confirmed,3',
        'A2,12/10/2026,18:30,2,Import Six,Confirmed,3',
        'A3,12/10/2026,19:00,2,Import Seven,Confirmed,ZZ9',
        'A4,10/01/2026,19:00,2,Long Ago,Completed,ZZ9',
        'A2,12/10/2026,18:30,2,Import Six,Confirmed,3',
      ].join('\n')
      const { to } = await upload('reservations', file)
      const preview = (await owner.get(to ?? '')).words
      const taken = 'Table 3 is taken at that time: the booking is imported without a table.'
      const unknown = 'Its table is not one of yours: the booking is imported without a table.'
      for (const words of [
        'Of the first 5 rows 2 have something to check:',
        'Confirmed, Thursday, December 10, 2026, 6:00 PM, 2 guests A1 12/10/2026',
        `Confirmed, Thursday, December 10, 2026, 6:30 PM, 2 guests. ${taken}`,
        `Line 3: ${taken}`,
        `Line 4: ${unknown}`,
        'Already there: no change A2 12/10/2026',
      ])
        assert.ok(preview.includes(words), `${words}\n${preview}`)
      const brought = await bring('reservations', file)
      assert.deepEqual([brought.made, brought.refused], [4, 0], 'no booking is refused, and one was there')
      const page = (await owner.get(brought.to)).words
      assert.match(page, /2 to check/)
      assert.ok(
        page.includes(`Bookings to check Full report (CSV)`) && page.includes(`Line 3 ${taken}`),
        page,
      )
      const report = (await owner.get(`${brought.to}/to-check.csv`)).html
      assert.ok(report.includes(`3,${taken}`) && report.includes(`4,${unknown}`), report)
      assert.equal((await owner.get(`${brought.to}/skipped.csv`)).html.trim(), 'line,why')
      assert.deepEqual(Object.values(await heldTables(service, venue)), ['3!'])
      const again = await upload('reservations', file)
      assert.ok(!(await owner.get(again.to ?? '')).words.includes('not at the table'))
      const [heading] = file.split('\n')
      const large = await upload(
        'reservations',
        [
          heading,
          'A9,12/11/2026,19:00,9,Import Nine,Confirmed,3',
          '12,12/11/2026,12:00,2,Two,Confirmed,',
        ].join('\n'),
      )
      const { words } = await owner.get(large.to ?? '')
      assert.match(words, /Of the first 2 rows 1 has something to check:/)
      assert.match(words, /Line 2: Table 3 seats \d at most, and the party is larger/)
    })

    it('lists bookings to check that only a phone number says whose they are, new or known', async () => {
      const { owner, upload, bring } = await newOwner()
      const file = [
        'Booking number,Date,Time,Party,Name,Phone,Status',
        'P1,12/10/2026,18:00,2,Maya Okafor,212 555 0100,Confirmed',
        'P2,12/11/2026,18:00,2,,(212) 555-0100,Confirmed',
        'P3,12/12/2026,18:00,2,,212 555 0177,Confirmed',
        'P4,12/13/2026,18:00,2,,,Confirmed',
      ].join('\n')
      const { to } = await upload('reservations', file)
      const preview = (await owner.get(to ?? '')).words
      const why = 'It has no name and no email: only the phone number says whose it is.'
      for (const words of [
        'Of the first 4 rows 2 have something to check:',
        `Line 3: ${why}`,
        `Line 4: ${why}`,
      ])
        assert.ok(preview.includes(words), `${words}\n${preview}`)
      const brought = await bring('reservations', file)
      assert.deepEqual([brought.made, brought.refused], [4, 0])
      assert.match((await owner.get(brought.to)).words, /2 to check/)
      const report = (await owner.get(`${brought.to}/to-check.csv`)).html
      assert.ok(report.includes(`3,${why}`) && report.includes(`4,${why}`), report)
    })

    it('lists bookings to check whose phone number nobody can call, before and after', async () => {
      const { owner, upload, bring } = await newOwner()
      const file = [
        'Booking number,Date,Time,Party,Name,Phone,Email,Status',
        'N1,12/10/2026,18:00,2,Maya Okafor,12345,,Confirmed',
        'N2,12/11/2026,18:00,2,Leo Brandt,call mobile,,Confirmed',
        'N3,12/12/2026,18:00,2,Ada Haddad,12345,ada@example.com,Confirmed',
        'N4,12/13/2026,18:00,2,Ben Le,212 555 0177,,Confirmed',
      ].join('\n')
      const { to } = await upload('reservations', file)
      const preview = (await owner.get(to ?? '')).words
      const why = 'Its phone number is none that can be called, and it has no email: it belongs to no guest.'
      for (const words of [
        'Of the first 4 rows 2 have something to check:',
        `Line 2: ${why}`,
        `Line 3: ${why}`,
      ])
        assert.ok(preview.includes(words), `${words}\n${preview}`)
      const brought = await bring('reservations', file)
      assert.deepEqual([brought.made, brought.refused], [4, 0])
      const report = (await owner.get(`${brought.to}/to-check.csv`)).html
      assert.ok(report.includes(`2,"${why}"`) && report.includes(`3,"${why}"`), report)
    })

    it('identical rows are two bookings, which is said before and after; the owner may leave repeats out', async () => {
      const { owner, upload, bring } = await newOwner()
      const twin = '2026-12-10,18:00,2,Maya Okafor'
      const others = Array.from(
        { length: 50 },
        (_, day) => `2026-11-${10 + (day % 20)},1${day % 10}:15,2,Party ${day}`,
      )
      const text = ['Date,Time,Party,Name', twin, twin, ...others, twin, ''].join('\n')
      const { to } = await upload('reservations', text)
      const repeats = 'It repeats line 2: both are taken.'
      const preview = (await owner.get(to ?? '')).words
      for (const words of [
        `2 guests. ${repeats}`,
        `Line 3: ${repeats}`,
        `Line 54: ${repeats}`,
        'Import 53 rows',
      ])
        assert.ok(preview.includes(words), `${words}\n${preview}`)
      const leaveOut = { leaveOutRepeats: 'yes' }
      const planned = await owner.post(`${to}/plan`, {
        ...chosenIn((await owner.get(to ?? '')).html),
        ...leaveOut,
      })
      const without = await owner.get(planned.to ?? '')
      assert.match(without.html, /name="leaveOutRepeats" value="yes" checked/)
      for (const words of [
        'Skipped. It repeats line 2.',
        'Lines 3, 54: It repeats line 2.',
        'Import 51 of 53 rows',
      ])
        assert.ok(without.words.includes(words), `${words}\n${without.words}`)

      const both = await bring('reservations', text)
      assert.deepEqual([both.made, both.known, both.refused], [53, 0, 0])
      const report = (await owner.get(`${both.to}/to-check.csv`)).html
      assert.ok(report.includes(`3,${repeats}`) && report.includes(`54,${repeats}`), report)
      assert.match(
        (await owner.get(`${both.to}/sheet.csv`)).html,
        /^3,New booking \d+[^\n]*It repeats line 2: both are taken\./m,
      )
      const again = await upload('reservations', text)
      assert.ok(
        !(await owner.get(again.to ?? '')).words.includes('It repeats'),
        'what is there is not said again',
      )

      const elsewhere = await newOwner()
      const once = await elsewhere.bring('reservations', text, leaveOut)
      assert.deepEqual([once.made, once.known, once.refused], [51, 0, 2])
      assert.match(
        (await elsewhere.owner.get(`${once.to}/sheet.csv`)).html,
        /^54,Skipped,It repeats line 2\./m,
      )
    })

    it('an export imported into the same venue creates nothing twice', async () => {
      const { venue, owner, bring } = await newOwner()
      await bring('reservations', file)
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: 'new@example.com', name: '=1+1', phone: '+1 212 555 0188' },
      })
      const before = await guests(venue)
      const guestsFile = (await owner.get('/office/data/export/guests.csv')).html
      assert.ok(guestsFile.includes("'=1+1") && guestsFile.includes("'+1 212 555 0188"))
      const brought = await bring('guests', guestsFile)
      assert.deepEqual([brought.made, brought.refused], [0, 0])
      const unstamped = (all: Record<string, unknown>[]) => all.map((one) => ({ ...one, updatedAt: null }))
      assert.deepEqual(unstamped(await guests(venue)), unstamped(before))
      const bookings = await bring(
        'reservations',
        (await owner.get('/office/data/export/reservations.csv')).html,
      )
      assert.equal(bookings.made, 0)
    })
  })
})
