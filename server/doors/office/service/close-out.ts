import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { dayNear } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { sumsOfDay } from '../../../book/reservations/day-book.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { servedOn, serversOf } from '../../../book/servers/reads.ts'
import { shiftNotesOf } from '../../../core/venue/shift-notes.ts'
import { page } from '../frame/page.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { countedOf } from '../servers/counted-of.ts'
import { byHourPart } from '../servers/by-hour-part.ts'

const home = '/office/service/close-out'

/** The close-out sheet of a service date: what came of it, and who served how many. For managers. */
export const closeOutPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work, { query }) => {
      const { db, venue } = work
      const now = work.now()
      const rules = await bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date)
      const today = serviceDateAt(rules, now)
      const asked = readDate(query.get('date') ?? '') ?? today
      const date = asked > today ? today : asked
      const [sums, served, servers, notes] = await Promise.all([
        sumsOfDay(db, venue.id, date),
        servedOn(db, venue.id, date),
        serversOf(db, venue.id),
        shiftNotesOf(db, venue.id, date),
      ])
      const of = (...statuses: string[]) => {
        const own = sums.filter(({ status }) => statuses.includes(status))
        return {
          covers: own.reduce((sum, one) => sum + one.covers, 0),
          parties: own.reduce((sum, one) => sum + one.parties, 0),
        }
      }
      const came = of('Seated', 'Completed')
      const figures: readonly (readonly [number, string])[] = [
        [came.covers, came.covers === 1 ? 'cover' : 'covers'],
        [came.parties, came.parties === 1 ? 'party' : 'parties'],
        [of('Seated').parties, 'still seated'],
        [of('No-show').parties, 'no-shows'],
        [of('Cancelled').parties, 'cancelled'],
      ]
      const hasServers = served.some(({ server_id }) => server_id !== null)
      const byServer = !hasServers
        ? undefined
        : byHourPart(
            'By server and hour',
            countedOf(venue.timezone, date, served),
            new Map(servers.map((server) => [server.id, server])),
          )
      return page('Close-out', body(date, today, figures, notes.text, byServer))
    },
  },
]

const body = (
  date: string,
  today: string,
  figures: readonly (readonly [number, string])[],
  notes: string,
  byServer: Html | undefined,
): Html =>
  html`<div class="page-head">
      <div>
        <h1>Close-out, ${dayNear(date, today)}</h1>
        <p class="soft">Who came, as it stands now.</p>
      </div>
      <div class="inline not-on-paper">
        <a class="button" href="${home}?date=${addDays(date, -1)}">Day before</a
        >${date < today && html`<a class="button" href="${home}?date=${addDays(date, 1)}">Next day</a>`}
      </div>
    </div>
    <div class="stack pre-shift">
      <section class="card">
        <div class="figures">
          ${figures.map(([figure, name]) => html`<div class="figure"><strong>${figure}</strong><span>${name}</span></div>`)}
        </div>
      </section>
      ${byServer ?? html`<section class="card"><p class="soft">No line-up was made that day.</p></section>`}
      ${
        notes !== '' &&
        html`<section class="card">
          <h2>Shift notes</h2>
          <p class="lines">${notes}</p>
        </section>`
      }
    </div>`
