import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, it } from 'node:test'
import ICAL from 'ical.js'
import { formatsFor } from '../guest-words/formats.ts'
import { wordsIn } from '../guest-words/words.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type CalendarEntry, calendarFile, calendarType } from './calendar-file.ts'
import { calendarLinks } from './calendar-links.ts'

/* The files are read by two programs that nobody here wrote: ical.js, and Debian's python3-icalendar where it is there. */

const python = '/usr/bin/python3'
const program = `
import sys, json
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
event = [part for part in calendar.walk() if part.name == 'VEVENT'][0]
print(json.dumps({
  'start': event.decoded('dtstart').isoformat(), 'end': event.decoded('dtend').isoformat(),
  'title': str(event['summary']), 'place': str(event['location']), 'notes': str(event['description']),
  'method': str(calendar['method']), 'organizer': str(event['organizer']), 'sequence': int(event['sequence']), 'uid': str(event['uid']),
}))
`

describe('a calendar file', () => {
  let hasPython = true
  before(() => {
    try {
      execFileSync(python, ['-c', 'import icalendar'], { stdio: 'ignore' })
    } catch {
      hasPython = false
    }
  })

  const entry = (startsAt: string, more: Partial<CalendarEntry> = {}): CalendarEntry => ({
    uid: 'booking-1-48213@data.example.com',
    sequence: 3,
    madeAt: Temporal.Instant.from('2026-10-06T19:15:00Z'),
    startsAt: Temporal.Instant.from(startsAt),
    minutes: 120,
    timezone: 'America/New_York',
    title: 'Café “Zoë”; the long, long, long name of a restaurant\\ that must be folded, table for 4',
    place: '214 West 10th Street, New York, NY 10014',
    notes: 'Booking number: 48213\nBring a coat',
    url: 'https://data.example.com/r/abc',
    organizer: { name: 'Café “Zoë”; "the" long, long name', email: 'tables+book@example.com' },
    state: 'CONFIRMED',
    ...more,
  })

  /** What both readers make of it: they must agree with each other and with us. */
  const read = (made: CalendarEntry) => {
    const text = calendarFile(made)
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.doesNotMatch(text, /[^\r]\n/)
    ICAL.TimezoneService.reset()
    const calendar = new ICAL.Component(ICAL.parse(text))
    const zone = calendar.getFirstSubcomponent('vtimezone')
    assert.ok(zone)
    ICAL.TimezoneService.register(zone)
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') as ICAL.Component)
    const start = Temporal.Instant.fromEpochMilliseconds(event.startDate.toJSDate().getTime())
    assert.equal(start.toString(), made.startsAt.toString(), 'ical.js')
    assert.equal(event.summary, made.title)
    assert.equal(event.location, made.place)
    assert.equal(event.description, made.notes)
    assert.equal(event.duration.toSeconds(), made.minutes * 60)
    if (hasPython) {
      const said = JSON.parse(String(execFileSync(python, ['-c', program], { input: text })))
      assert.equal(
        Temporal.Instant.from(said.start).toString(),
        made.startsAt.toString(),
        'python3-icalendar',
      )
      assert.deepEqual(
        [said.title, said.place, said.notes, said.sequence, said.uid, said.organizer],
        [made.title, made.place, made.notes, made.sequence, made.uid, 'mailto:tables%2Bbook@example.com'],
      )
    }
    const organizer = calendar.getFirstSubcomponent('vevent')?.getFirstProperty('organizer')
    assert.equal(organizer?.getFirstValue(), 'mailto:tables%2Bbook@example.com')
    assert.equal(organizer?.getParameter('cn'), 'Café “Zoë”;  the  long, long name')
    return { text, method: String(calendar.getFirstPropertyValue('method')) }
  }

  it('is read as it is meant, in summer and in winter, in zones of all kinds', () => {
    for (const start of ['2026-10-10T23:30:00Z', '2026-12-31T23:30:00Z', '2027-07-01T23:30:00Z'])
      for (const timezone of [
        'America/New_York',
        'Europe/Dublin',
        'Asia/Tokyo',
        'Australia/Lord_Howe',
        'Africa/Cairo',
        'America/Sao_Paulo',
      ])
        read(entry(start, { timezone }))
  })

  it('of a cancelled booking takes it off the calendar, under the same name', () => {
    const { text, method } = read(entry('2026-10-10T23:30:00Z', { state: 'CANCELLED', sequence: 4 }))
    assert.equal(method, 'CANCEL')
    assert.match(text, /STATUS:CANCELLED/)
  })

  it('of a venue without an address has no organizer, and says nothing in its name', () => {
    const made = entry('2026-10-10T23:30:00Z', { state: 'CANCELLED', organizer: null })
    assert.doesNotMatch(calendarFile(made), /METHOD|ORGANIZER/)
    assert.equal(calendarType(made), 'text/calendar; charset=utf-8')
  })

  it('has its like at Google and Outlook, at the same moment and without the private link', () => {
    const made = entry('2026-11-01T06:30:00Z')
    const { google, outlook } = calendarLinks(made)
    const [one, other] = [new URL(google), new URL(outlook)]
    assert.equal(one.origin + one.pathname, 'https://calendar.google.com/calendar/render')
    assert.equal(one.searchParams.get('dates'), '20261101T063000Z/20261101T083000Z')
    assert.equal(one.searchParams.get('text'), made.title)
    assert.equal(other.origin + other.pathname, 'https://outlook.live.com/calendar/0/deeplink/compose')
    assert.equal(other.searchParams.get('startdt'), '2026-11-01T06:30:00Z')
    assert.equal(other.searchParams.get('enddt'), '2026-11-01T08:30:00Z')
    assert.equal(other.searchParams.get('subject'), made.title)
    for (const link of [google, outlook]) {
      assert.doesNotMatch(link, /data\.example\.com|[+]/)
      assert.equal(new URL(link).searchParams.get('location'), made.place)
    }
  })

  it('a time after midnight and both of an hour that comes twice, as the clocks go back, agree with the page', () => {
    const formats = formatsFor('en', { country: 'US', timezone: 'America/New_York' })
    const times = ['2026-10-10T04:30:00Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z'].map((start) => {
      const made = entry(start)
      read(made)
      const { date, time } = wallTimeOf(made.startsAt, made.timezone)
      return `${formats.shortDay(date)}, ${formats.time(time)}`
    })
    assert.deepEqual(
      times.map((one) => one.replaceAll(/\s/g, ' ')),
      ['Sat, Oct 10, 12:30 AM', 'Sun, Nov 1, 1:30 AM', 'Sun, Nov 1, 1:30 AM'],
    )
    assert.match(calendarFile(entry('2026-11-01T05:30:00Z')), /DTSTART:20261101T053000Z/)
    assert.match(calendarFile(entry('2026-11-01T06:30:00Z')), /DTSTART:20261101T063000Z/)
  })

  it('speaks the guest’s language', () => {
    assert.equal(wordsIn('es').mail.calendarTitle('La Puerta', '4'), 'La Puerta, mesa para 4')
  })
})
