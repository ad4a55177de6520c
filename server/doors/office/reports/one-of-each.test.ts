import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definitions } from '../../../data/reports/definitions.ts'
import { countedFigures } from '../../../data/reports/figure-names.ts'
import { defaultRules } from '../../../book/rules/booking-rules.ts'
import { letterOf } from '../../../messages/guest-mail/weekly/letter-of-week.ts'
import { html, textOf } from '../../../platform/html/html.ts'
import { glance } from './glance.ts'
import { askedOf } from './period.ts'
import { picturesOf } from './pictures.ts'
import { reportBody } from './shown-page.ts'
import { type Rows, shownBy } from './test/shown-by.ts'

/** A page of a venue to which everything happened once. */
const once: Rows = {
  covers: [[{ date: '2026-10-02', service: 'Dinner' }, 1]],
  parties: [[{ date: '2026-10-02', service: 'Dinner' }, 1]],
  booked: [
    [{ date: '2026-10-06', measure: 'parties' }, 1],
    [{ date: '2026-10-06', measure: 'covers' }, 1],
    [{ date: '2026-10-06', measure: 'requested' }, 1],
  ],
  open_ends: [[{ date: '2026-10-01', status: 'Confirmed' }, 1]],
  arrivals: [
    [{ weekday: 5, quarter: 76, measure: 'booked' }, 1, 1, 1],
    [{ weekday: 5, quarter: 76, measure: 'seated' }, 1, 1, 1],
  ],
  lead_days: [[{ days: '1' }, 1]],
  days_ahead: [[{}, 1, 20, 1]],
  sizes: [[{ size: '1' }, 1]],
  sources: [
    [{ source: 'public', measure: 'promised' }, 1],
    [{ source: 'public', measure: 'served' }, 1],
  ],
  refused: [
    [{ reason: 'pacing-covers-full', door: 'book' }, 1],
    [{ reason: 'nothing-open', door: 'book' }, 1],
    [{ size: '1', measure: 'full' }, 1],
    [{ weekday: 5, minute: 1140, measure: 'full' }, 1],
    [{ weekday: 5, minute: 1140, measure: 'dates' }, 1, 1],
  ],
  refused_by_weekday: [
    [{ weekday: 5, reason: 'pacing-covers-full' }, 1],
    [{ weekday: 5, reason: 'nothing-open' }, 1],
  ],
  funnel: ['opened', 'none-open', 'chosen', 'details', 'booked'].map((step) => [{ door: 'book', step }, 1]),
  no_shows: [
    [{ measure: 'parties' }, 1, 1],
    [{ measure: 'parties', size: '1' }, 1, 1],
  ],
  no_shows_by_source_and_size: [[{ source: 'public', size: '1' }, 1, 1]],
  cancelled: [
    [{ measure: 'guest' }, 1, 1],
    [{ measure: 'late' }, 1, 1],
  ],
  answered: [
    [{ measure: 'minutes' }, 0, 1, 1],
    [{ measure: 'declined' }, 1, 1],
    [{ measure: 'unanswered' }, 1],
  ],
  stays: [
    [{ sizes: '1-2', part: 'evening', measure: 'stay' }, 0, 1, 60],
    [{ sizes: '1-2', part: 'evening', measure: 'turn' }, 0, 1, 90],
  ],
  tables: [
    [{ measure: 'seats' }, 1, 2, 0.5],
    [{ measure: 'turns' }, 1, 1, 1],
    [{ measure: 'parties' }, 1],
  ],
  tables_known: [[{ date: '2026-10-02' }, 1]],
  guests_by_table: [
    [{ table: '1', measure: 'covers' }, 1],
    [{ table: '1', measure: 'parties' }, 1],
  ],
  waits: [
    [{ measure: 'quoted' }, 0, 1, 1],
    [{ measure: 'waited' }, 0, 1, 1],
    [{ measure: 'within_5' }, 1, 1],
    [{ measure: 'left' }, 1, 1],
  ],
  guests: [
    [{ kind: 'returning' }, 1],
    [{ kind: 'unknown' }, 1],
  ],
  guests_by_first_source: [[{ source: 'public', kind: 'returning' }, 1]],
  came_back: [
    [{ source: 'public', measure: 'back' }, 1, 1],
    [{ measure: 'too_soon' }, 1],
  ],
  ticket_money: [
    [{ date: '2026-10-02', measure: 'net' }, 100],
    [{ date: '2026-10-02', measure: 'seats' }, 1],
    [{ code: 'ONE' }, 1],
  ],
  guarantee_money: [[{ date: '2026-10-02', measure: 'taken' }, 100]],
  list: [
    [{ date: '2026-10-02', measure: 'joined' }, 1],
    [{ date: '2026-10-02', measure: 'left' }, 1],
    [{ date: '2026-10-02', measure: 'bounced' }, 1],
    [{ source: 'booking', measure: 'joined' }, 1],
  ],
  campaigns: [
    [{ campaign: 1, measure: 'sent' }, 1],
    [{ campaign: 1, measure: 'left' }, 1],
    [{ campaign: 1, measure: 'difference' }, 0, 0, 0.01],
    [{ campaign: 1, measure: 'difference_low' }, 0, 0, -0.01],
    [{ campaign: 1, measure: 'difference_high' }, 0, 0, 0.01],
  ],
  leads: [
    [{ measure: 'won' }, 1, 1],
    [{ stage: 'Booked' }, 1],
  ],
  code_discounts: [[{ code: 'ONE' }, 100]],
  calls: [[{ key: 1, measure: 'calls' }, 1]],
}

/** "1 guests", "1 more parties", and not "1.1 guests" or "11 guests". */
const plurals = /(?<![\d.,–])1 (?:more )?(?!was|is|has|this|hours ahead)[a-z]+s\b[^<]{0,40}/g

const wordsIn = (text: string): string => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

describe('a report of a venue to which everything happened once', () => {
  it('has no plural of one, in its sentences, tables and pictures, of all figures that there are', () => {
    for (const [from, to] of [
      ['2026-09-27', '2026-10-03'],
      ['2026-10-02', '2026-10-02'],
      ['2026-09-27', '2026-10-10'],
      ['2026-04-01', '2026-10-05'],
    ] as const) {
      const shown = { ...shownBy(once, { from, to, before: once }), since: '2026-08-01' }
      const pictures = picturesOf(shown)
      assert.ok(pictures.length >= 24, pictures.map(({ id }) => id).join())
      const asked = askedOf(new URLSearchParams({ from, to }), shown.today, 1)
      const page = textOf(reportBody(shown, asked, pictures, 'UTC'))
      assert.ok(page.includes('1 party') && glance(shown, pictures))
      assert.deepEqual(wordsIn(page).match(plurals), null, `${from} to ${to}`)
      assert.deepEqual(page.match(/(?:title|aria-label)[^<]*1 guests[^<]*/g), null)
    }
  })

  it('says what each figure counts, word for word, next to its picture', () => {
    const shown = { ...shownBy(once, { before: once }), since: '2026-08-01' }
    const pictures = picturesOf(shown)
    const asked = askedOf(new URLSearchParams({ from: '2026-09-27', to: '2026-10-03' }), shown.today, 1)
    const cards = textOf(reportBody(shown, asked, pictures, 'UTC')).split('<section class="card report-card')
    for (const name of countedFigures) {
      const of = pictures.filter((picture) => picture.of.includes(name))
      assert.ok(of.length > 0, `${name} is in a picture`)
      const words = textOf(html`${definitions[name].definition}`)
      for (const { id } of of)
        assert.ok(cards.find((card) => card.includes(` id="${id}"`))?.includes(words), `${name} at ${id}`)
    }
  })

  it('says what happened to none as people say it', () => {
    const none: Rows = {
      no_shows: [[{ measure: 'parties' }, 0, 30]],
      cancelled: [
        [{ measure: 'guest' }, 2, 30],
        [{ measure: 'late' }, 0, 30],
      ],
      leads: [[{ measure: 'won' }, 0, 9]],
    }
    const said = (rows: Rows, before?: Rows) =>
      new Map(picturesOf(shownBy(rows, { before })).map(({ id, sentence }) => [id, sentence]))
    assert.equal(said(none).get('no-shows'), 'All 30 parties that booked came.')
    assert.equal(
      said(none, { no_shows: [[{ measure: 'parties' }, 3, 50]] }).get('no-shows'),
      'All 30 parties that booked came; 6% the week before did not.',
    )
    assert.match(said(none).get('cancelled') ?? '', /\(7%\), none of them less than 24 hours ahead\.$/)
    assert.equal(said(none).get('leads'), '9 leads came in; none of them is booked or completed so far.')
    const one = said(once)
    assert.equal(one.get('no-shows'), 'The 1 party that booked did not come.')
    assert.match(
      one.get('cancelled') ?? '',
      /^Guests cancelled 1 of 1 confirmed booking, less than 24 hours ahead\./,
    )
    assert.equal(one.get('leads'), '1 lead came in; it is booked or completed.')
  })

  it('comes by letter without one', () => {
    const { figures } = shownBy(once, { before: once })
    const letter = letterOf(
      {
        venue: { name: 'One' },
        ...{ first: '2026-10-04', past: figures, since: null, rules: defaultRules },
        ahead: { ...figures, from: '2026-10-04', to: '2026-10-10' },
        waiting: [{ what: 'Requests for a table', count: 1, path: '/' }] as never,
      },
      'https://data.example.com',
    )
    const words = JSON.stringify(letter)
    assert.match(words, /1 guest in 1 party, including 1 request/)
    assert.deepEqual(words.match(plurals), null)
  })
})
