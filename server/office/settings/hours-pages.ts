import { type Html, html } from '../../html/html.ts'
import { weekdayName } from '../../kernel/calendar.ts'
import { badRequest } from '../../kernel/refusal.ts'
import type { DocumentRules, ServicePeriod } from '../../venue/booking-rules.ts'
import { allBookingRules } from '../../venue/rules-store.ts'
import { page } from '../page.ts'
import type { VenuePage } from '../serve-page.ts'
import { periodFields, periodsOf, spanOf } from './period-fields.ts'
import { saveRules, seen } from './save-rules.ts'
import { settingsHead } from './settings-head.ts'

const home = '/office/settings'

/** The services of each weekday. */
export const hoursPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async ({ db, venue }) => {
      const rules = await allBookingRules(db, venue.id)
      return page(
        'Hours',
        html`${settingsHead(home)}
          <div class="stack">${isoWeekdays.map((weekday) => weekdayCard(rules, weekday))}</div>`,
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/hours/:weekday`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const weekday = Number(params.weekday)
      if (!isoWeekdays.includes(weekday as 1)) throw badRequest('There is no such day of the week.')
      const before = (await allBookingRules(work.db, work.venue.id)).periods.filter(
        (one) => one.weekday === weekday,
      )
      return saveRules(work, form, {
        action: `change the hours of ${weekdayName(weekday)}s`,
        done: `${weekdayName(weekday)}s were saved.`,
        back: `${home}#day-${weekday}`,
        edit: (document) => ({
          ...document,
          periods: [
            ...document.periods.filter((period) => period.weekday !== weekday),
            ...periodsOf(form, before).map((period) => ({ weekday, ...period })),
          ],
        }),
      })
    },
  },
]

const isoWeekdays = [1, 2, 3, 4, 5, 6, 7] as const

const weekdayCard = (rules: DocumentRules, weekday: number): Html => {
  const periods: readonly ServicePeriod[] = rules.periods.filter((one) => one.weekday === weekday)
  return html`<section class="card" id="day-${weekday}">
    <header>
      <h2>${weekdayName(weekday)}</h2>
      <span class="soft">${periods.length === 0 ? 'Closed' : periods.map(spanOf).join(', ')}</span>
    </header>
    <details>
      <summary>Change</summary>
      <form class="form" method="post" action="${home}/hours/${weekday}">
        ${seen(rules)}${periodFields(periods)}
        <div><button class="primary">Save ${weekdayName(weekday)}s</button></div>
      </form>
    </details>
  </section>`
}
