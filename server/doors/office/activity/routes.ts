import { type ActivityOf, newestActivity } from '../../../core/activity/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { namesOfRecords } from '../../../data/names/names-of-records.ts'
import { namesOfStaff } from '../../../core/staff/staff-names.ts'
import { page } from '../frame/page.ts'
import { idIn } from '../parts/time-words.ts'
import { addressOf, pageRows } from '../parts/pager.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { activityList, kinds, recordKinds } from './list.ts'
import type { Called } from './who.ts'

const home = '/office/activity'

/** Who did what at the venue, newest first. Private: for managers, never in the API. */
export const activityPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async ({ db, venue }, { query }) => {
      const before = idIn(query.get('before') ?? undefined) ?? null
      const called = await namesOfStaff(db, venue.id)
      const asked = askedOf(query, called, venue.timezone)
      const rows = await newestActivity(db, venue.id, { limit: pageRows + 1, before, of: asked.of })
      const shown = rows.slice(0, pageRows)
      const nameOf = await namesOfRecords(
        db,
        venue.id,
        shown.map(({ record_kind: kind, record_id: id }) => ({ kind, id })),
      )
      const next = rows.length > pageRows ? shown.at(-1)?.id : undefined
      const isAll = Object.values(asked.query).every((one) => one === null)
      return page(
        'Activity',
        html`<div class="page-head">
            <div>
              <h1>Activity</h1>
              <p class="soft small">Every change, and who made it. Managers only; never in exports or the API.</p>
            </div>
          </div>
          ${choices(asked.query, called)}
          <section class="card list-card">
            ${
              shown.length === 0
                ? html`<p class="empty">${before !== null ? 'Nothing earlier.' : isAll ? 'No activity yet.' : 'Nothing of this kind.'}</p>`
                : activityList(shown, venue.timezone, called, nameOf)
            }
            ${
              (before !== null || next !== undefined) &&
              html`<nav class="list-foot" aria-label="Pages">
                ${before !== null && html`<a class="button" href="${addressOf(home, asked.query)}">‹ Latest</a>`}
                ${next === undefined ? html`<span class="soft small">This is the start of the log.</span>` : html`<a class="button" rel="next" href="${addressOf(home, { ...asked.query, before: String(next) })}">Earlier ›</a>`}
              </nav>`
            }
          </section>`,
      )
    },
  },
]

type AskedQuery = { readonly staff: string | null; readonly kind: string | null; readonly day: string | null }

/** Whose, of what and of which day, as the address says it; what nobody could mean is left out. */
const askedOf = (
  query: URLSearchParams,
  called: Called,
  zone: string,
): { readonly of: ActivityOf; readonly query: AskedQuery } => {
  const staff = idIn(query.get('staff') ?? undefined)
  const known = staff !== undefined && called.has(staff) ? staff : undefined
  const kind = recordKinds.find((one) => one === query.get('kind'))
  const day = readDate(query.get('day') ?? '')
  return {
    of: {
      staff: known,
      kind,
      from: day === undefined ? undefined : startOfDay(day, zone),
      until: day === undefined ? undefined : startOfDay(addDays(day, 1), zone),
    },
    query: { staff: known === undefined ? null : String(known), kind: kind ?? null, day: day ?? null },
  }
}

const startOfDay = (day: string, zone: string): Temporal.Instant =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).toInstant()

const choices = (asked: AskedQuery, called: Called): Html =>
  html`<form class="list-choices" method="get" action="${home}">
    <label class="field"
      ><span>Who</span
      ><select name="staff">
        <option value="">Anybody</option>
        ${[...called].map(
          ([id, name]) =>
            html`<option value="${id}" ${asked.staff === String(id) && html`selected`}>${name}</option>`,
        )}
      </select></label
    >
    <label class="field"
      ><span>What</span
      ><select name="kind">
        <option value="">Anything</option>
        ${recordKinds.map(
          (kind) =>
            html`<option value="${kind}" ${asked.kind === kind && html`selected`}>
              ${capital(kinds[kind].name.replace(/^(?:an?|the) /, ''))}
            </option>`,
        )}
      </select></label
    >
    <label class="field"
      ><span>Day</span><input name="day" type="date" value="${asked.day}"
    /></label>
    <button>Show</button>
  </form>`

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
