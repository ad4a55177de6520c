import { html } from '../../../platform/html/html.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { readDay } from '../../../book/day/open-day.ts'
import { collectAll } from '../../../book/reservations/rules/evaluate.ts'
import { resolveService } from '../../../book/rules/resolve-service.ts'
import { readWhen } from '../../../book/day/when.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { page } from '../frame/page.ts'
import { readPartySize } from '../parts/forms/party-fields.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings'

/** Tests what an online request would be answered. */
export const tryPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/test`,
    role: 'manager',
    answer: async (work, { query }) => {
      const { date: today } = wallTimeOf(work.now(), work.venue.timezone)
      const asked = {
        date: query.get('date') ?? today,
        time: query.get('time') ?? timeInWords('19:00'),
        size: query.get('size') ?? '2',
      }
      const result = query.has('date') ? await resultOf(work, asked) : undefined
      return page(
        'Test a request',
        html`${settingsHead(`${home}/test`)}
          <section class="card">
            <p class="soft">Test what an online request would get right now.</p>
            <form class="form" method="get">
              <div class="fields">
                <label class="field"
                  ><span>Date</span><input name="date" type="date" required value="${asked.date}" /></label
                ><label class="field"
                  ><span>Time</span><input name="time" required value="${asked.time}" /></label
                ><label class="field"
                  ><span>Guests</span><input name="size" inputmode="numeric" required value="${asked.size}"
                /></label>
              </div>
              <div><button class="primary">Test</button></div>
            </form>
            ${result}
          </section>`,
      )
    },
  },
]

/** Software and guests see the first reason; the others are for the person who sets the rules. */
const resultOf = async (
  { db, venue, now }: OfficeWork,
  asked: { date: string; time: string; size: string },
) => {
  try {
    const partySize = readPartySize(asked.size)
    const when = readWhen({ date: asked.date, time: asked.time, startsAt: undefined }, venue.timezone, now())
    const rules = await bookingRulesAround(db, venue, when.date)
    const day = await readDay({ db, venue, now }, rules, resolveService(rules, when))
    const [first, ...others] = collectAll(day, now(), { ...when, partySize, door: 'online' })
    if (!first) return html`<p class="notice">It would be accepted.</p>`
    return html`<p class="mistake"><strong>${first.reason}</strong>: ${first.sentence}</p>
      ${others.length > 0 && html`<p class="soft">Also refused because: ${others.map(({ sentence }) => sentence).join(' ')}</p>`}`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return html`<p class="mistake">${error.message}</p>`
  }
}
