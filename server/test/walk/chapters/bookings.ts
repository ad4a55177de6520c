import { rowsOf } from '../../rows.ts'
import { everyEvening, setRules } from '../../open-rules.ts'
import type { Chapter, Walk } from '../walk.ts'

/** It is Tuesday 6 October 2026, 15:00 at the venue; requests are for Friday at 19:00 unless they say otherwise. */

const reservations = 'POST /api/v1/reservations'
const friday = { guestName: 'Maya Okafor', partySize: 2, date: '2026-10-09', time: '19:00' }
const onFridays = (more: object) => ({
  periods: [{ weekday: 5, name: 'Dinner', opens: '17:00', closes: '22:00', ...more }],
})

const opened = async ({ service, venue: makeVenue }: Walk, rules: object = everyEvening()) => {
  const venue = await makeVenue({ phone: '+1 212 555 0100' })
  await setRules(service, venue, rules)
  return venue
}

/** What a request must say, and in which forms. */
export const requests: Chapter = {
  name: 'reservations',
  take: async (walk) => {
    const { ask } = walk
    const { key } = await opened(walk)
    const book = (title: string, more: object) =>
      ask(title, reservations, { key, body: { ...friday, ...more } })
    await book('as little as there must be', {})
    await book('with everything', {
      email: 'Maya.Okafor@Example.com',
      phone: '(212) 555-0147',
      notes: 'A booth if there is one.',
    })
    await book('somebody the venue knows', { email: 'maya.okafor@example.com', phone: '+1 646 555 0199' })
    await book('a phone that nobody can be found by', { phone: 'at the bar' })

    for (const time of ['7pm', '7:00 PM', '7.30 p.m.', '19h30', '1930', '19:00:00', '７ｐｍ']) {
      await book(`the time ${time}`, { time })
    }
    for (const time of [
      '7',
      '730pm',
      '0730 PM',
      '25:00',
      '19:60',
      'midnight',
      'seven',
      '19:00Z',
      '7 o’clock',
    ]) {
      await book(`the time ${time}`, { time })
    }
    for (const date of ['2026-02-30', '09/10/2026', '20261009', 'Friday', '0000-10-09', '2026-10-09T19:00']) {
      await book(`the date ${date}`, { date })
    }
    const only = (startsAt: string) => ({ startsAt, date: null, time: null })
    for (const startsAt of [
      '2026-10-09T19:00:00-04:00',
      '2026-10-09T23:00:00Z',
      '2026-10-10T01:00:59.999+02:00',
      '2026-10-09T19:00-0400',
      '2026-10-09 19:00:00-04:00[Europe/Paris]',
    ]) {
      await book(`startsAt ${startsAt}`, only(startsAt))
    }
    for (const startsAt of ['2026-10-09T19:00:00', '2026-10-09', 'tomorrow at 7', '2026-10-09T25:00:00Z']) {
      await book(`startsAt ${startsAt}`, only(startsAt))
    }
    await book('startsAt that agrees with date and time', { startsAt: '2026-10-09T23:00:00Z' })
    await book('startsAt that says otherwise', { startsAt: '2026-10-09T22:00:00Z' })
    await book('no time at all', { date: null, time: null })
    await book('no time', { time: null })
    await book('no date', { date: null })
    await book('a time that the clocks skip', { date: '2027-03-14', time: '02:30' })

    await book('no name', { guestName: null })
    await book('a name of blanks', { guestName: '  ' })
    await book('no size', { partySize: null })
    for (const partySize of [0, -1, 2.5, '2', 10_001, 2_147_483_648]) {
      await book(`the size ${JSON.stringify(partySize)}`, { partySize })
    }
    await book('the size 10000', { partySize: 10_000 })
    await book('an email that is none', { email: 'maya@example' })
    await book('a phone that is too long', { phone: '1'.repeat(51) })
    await book('notes that are too long', { notes: 'x'.repeat(4_001) })
  },
}

/** Every reason that a rule of the venue gives. */
export const rules: Chapter = {
  name: 'rules',
  take: async (walk) => {
    const { ask, service } = walk
    const refused = async (title: string, document: object, more: object = {}, first?: object) => {
      const { key } = await opened(walk, document)
      if (first) await service.call('POST', '/api/v1/reservations', { key, body: { ...friday, ...first } })
      await ask(title, reservations, { key, body: { ...friday, ...more } })
    }
    const tonight = { date: '2026-10-06' }
    await refused('in-the-past', everyEvening(), { ...tonight, time: '14:59' })
    await refused('in-the-past, yesterday', everyEvening(), { date: '2026-10-05' })
    await refused(
      'closed, by a closure with a name',
      everyEvening({ closures: [{ from: '2026-10-08', to: '2026-10-10', name: 'Autumn break' }] }),
    )
    await refused('closed, on a weekday without hours', {
      periods: [{ weekday: 1, opens: '17:00', closes: '22:00' }],
    })
    await refused('closed, at a venue without any hours', { periods: [] })
    await refused(
      'closed, on a special day',
      everyEvening({ specialDays: [{ date: '2026-10-09', name: 'Staff party', periods: [] }] }),
    )
    await refused('closed, while online booking is paused', everyEvening({ onlinePaused: true }))
    await refused('outside-hours', everyEvening(), { time: '22:00' })
    await refused(
      'outside-hours, of two services',
      {
        periods: [
          { weekday: 5, name: 'Lunch', opens: '12:00', closes: '14:00' },
          { weekday: 5, name: 'Dinner', opens: '18:00', closes: '22:00' },
        ],
      },
      { time: '15:00' },
    )
    const block = (more: object) =>
      everyEvening({ blocks: [{ serviceDate: '2026-10-09', scope: 'online', ...more }] })
    await refused('blocked', block({ from: '18:00', to: '19:30' }))
    await refused('same-day-cutoff', everyEvening({ sameDayCutoff: '15:00' }), tonight)
    await refused('party-too-small', everyEvening({ minParty: 3 }))
    await refused('party-too-large', everyEvening({ maxParty: 8 }), { partySize: 9 })
    await refused('too-short-notice', everyEvening({ minNoticeMinutes: 241 }), tonight)
    await refused('too-far-ahead', everyEvening({ maxDaysAhead: 2 }))
    await refused('after-last-arrival', onFridays({ lastArrival: '18:59' }))
    await refused('not-a-seating-time', onFridays({ seatings: ['18:00', '20:30'] }))
    const pacing = (limits: object) => everyEvening({ pacing: { intervalMinutes: 15, ...limits } })
    await refused('pacing-covers-full', pacing({ maxCovers: 4, maxParties: null }), {}, { partySize: 4 })
    await refused(
      'pacing-covers-full, with places left',
      pacing({ maxCovers: 5, maxParties: null }),
      {},
      {
        partySize: 4,
      },
    )
    await refused('pacing-parties-full', pacing({ maxCovers: null, maxParties: 1 }), {}, { partySize: 1 })
    await refused('the first of two reasons', everyEvening({ maxParty: 8, maxDaysAhead: 2 }), {
      partySize: 9,
    })
  },
}

/** The bookings of a guest: upcoming first, soonest first, then past, the most recent first. */
export const finding: Chapter = {
  name: 'find reservations',
  take: async (walk) => {
    const { service, ask, askEach } = walk
    const venue = await opened(walk)
    const find = (title: string, query: string) => ask(title, `GET /api/v1/reservations/find?${query}`, venue)
    const book = async (now: string, more: object) => {
      service.setClock(now)
      await service.call('POST', '/api/v1/reservations', { key: venue.key, body: { ...friday, ...more } })
    }
    const maya = { email: 'maya@example.com' }
    await book('2026-09-01T19:00:00Z', { ...maya, date: '2026-09-20' })
    await book('2026-09-01T19:01:00Z', { ...maya, date: '2026-09-25', phone: '212 555 0147' })
    await book('2026-09-01T19:02:00Z', { ...maya, date: '2026-10-20' })
    await book('2026-09-01T19:03:00Z', { phone: '+1 (212) 555-0147', date: '2026-10-10' })
    await book('2026-09-01T19:04:00Z', { ...maya, date: '2026-10-09', time: '20:00' })
    await book('2026-09-01T19:05:00Z', { email: 'other@example.com' })
    service.setClock('2026-10-06T19:00:00Z')
    await find('by email', 'email=Maya%40Example.com')
    await find('by phone', 'phone=2125550147')
    await find('by phone with a country code', 'phone=%2B12125550147')
    await find('by a raw plus', 'phone=+12125550147')
    await find('by email and phone', 'email=maya@example.com&phone=2125550147')
    await find('on a day', 'email=maya@example.com&date=2026-10-09')
    await find('nobody', 'email=nobody@example.com')
    await find('by an email and a phone that is too short', 'email=maya@example.com&phone=123456')
    for (let i = 0; i < 8; i++) await book('2026-10-06T19:00:00Z', { ...maya, date: `2026-11-0${i + 1}` })
    await find('ten at most', 'email=maya@example.com')
    const asked = [
      '',
      '?email=',
      '?phone=123456',
      '?name=Maya',
      '?email=%00',
      '?email=a@b.example&email=c@d.example',
    ]
    for (const path of ['reservations', 'guests']) {
      await askEach(
        `what cannot be looked for, ${path}`,
        asked.map((query) => `GET /api/v1/${path}/find${query}`),
        venue,
      )
    }
    await askEach(
      'days that are none',
      ['2026-02-30', 'friday', '2026-10-09&date=2026-10-09', ''].map(
        (date) => `GET /api/v1/reservations/find?email=nobody@example.com&date=${date}`,
      ),
      venue,
    )
    await rowsOf(
      service,
      `update reservation set status = 'Cancelled', cancelled_at = created_at, cancelled_by = 'guest'
      where venue_id = $1 and date = '2026-10-20'`,
      [venue.id],
    )
    await find('cancelled ones too', 'email=maya@example.com&date=2026-10-20')
  },
}
