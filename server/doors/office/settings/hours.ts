import { type Html, html } from '../../../platform/html/html.ts'
import { isoWeekdays, weekdayName } from '../../../platform/kernel/time/calendar.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import type { DocumentRules, ServicePeriod } from '../../../book/rules/booking-rules.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { page } from '../frame/page.ts'
import { type FormSeen, mistakePart, sentAgain, shownField, wholeNumberIn } from '../parts/forms/fields.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { guestsSuggested, suggestedInWords } from './limits/suggested.ts'
import { inFormWords } from './mistake-words.ts'
import { periodFields, periodsOf, spanOf, typedOfPeriods } from './period-fields.ts'
import { isStale, saveRules, rulesVersionField } from './save-rules.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings'

/** Each weekday's services. */
export const hoursPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async ({ db, venue }, { query }) => {
      const rules = await allBookingRules(db, venue.id)
      // A report leads to a day whose limit it speaks of.
      const asked = {
        ...{ day: query.get('day'), guests: guestsSuggested(query) },
        minute: wholeNumberIn(query.get('minute') ?? ''),
      }
      return page(
        'Hours',
        html`${settingsHead(home)}
          <div class="stack">${isoWeekdays.map((weekday) => weekdayCard(rules, weekday, undefined, asked.day === String(weekday) ? asked : undefined))}</div>`,
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/hours/:weekday`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const weekday = weekdayIn(params)
      const before = (await allBookingRules(work.db, work.venue.id)).periods.filter(
        (one) => one.weekday === weekday,
      )
      return saveRules(work, form, {
        action: `change the hours of ${weekdayName(weekday)}s`,
        done: `${weekdayName(weekday)}s saved.`,
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
    again: async ({ db, venue }, { params, form }, { message }) => {
      const rules = await allBookingRules(db, venue.id)
      const weekday = weekdayIn(params)
      const now = isStale(rules, form) ? typedOfPeriods(periodsOn(rules, weekday)) : undefined
      const sent = sentAgain(form, inFormWords(message), now)
      return page('Hours', html`${settingsHead(home)}${weekdayCard(rules, weekday, sent)}`)
    },
  },
]

const weekdayIn = (params: Readonly<Record<string, string>>): number => {
  const weekday = isoWeekdays.find((one) => String(one) === params.weekday)
  if (weekday === undefined) throw notFound('day of the week')
  return weekday
}

const periodsOn = (rules: DocumentRules, weekday: number): readonly ServicePeriod[] =>
  rules.periods.filter((one) => one.weekday === weekday)

/** A day's services and the form to change them; `sent`: the form as it came back; `asked`: it is open, with what is suggested. */
const weekdayCard = (
  rules: DocumentRules,
  weekday: number,
  sent?: FormSeen,
  asked?: { readonly guests: number | undefined; readonly minute: number | undefined },
): Html => {
  const periods = periodsOn(rules, weekday)
  const form = sent ?? { typed: typedOfPeriods(periods) }
  return html`<section class="card" id="day-${weekday}">
    <header>
      <h2>${weekdayName(weekday)}</h2>
      <span class="soft">${periods.length === 0 ? 'Closed' : periods.map(spanOf).join(', ')}</span>
    </header>
    <details ${(sent ?? asked) && html`open`}>
      <summary>Change</summary>
      <form class="form" method="post" action="${home}/hours/${weekday}">
        ${sent && mistakePart(sent)} ${asked?.guests !== undefined && html`<p class="hint">${suggestedInWords(asked.guests, serviceAt(periods, asked.minute))}</p>`} ${rulesVersionField(rules)}${shownField(form)}${periodFields(form)}
        <div class="inline">
          <button class="primary">Save ${weekdayName(weekday)}s</button>
          ${sent && html`<a class="button quiet" href="${home}#day-${weekday}">All days</a>`}
        </div>
      </form>
    </details>
  </section>`
}

const serviceAt = (periods: readonly ServicePeriod[], minute = -1): string => {
  const name = periods.find((one) => one.startMinute <= minute && minute < one.endMinute)?.name
  return name ? ` of ${name}` : ''
}
