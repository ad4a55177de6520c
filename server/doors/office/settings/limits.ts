import { type Html, html } from '../../../platform/html/html.ts'
import { clockTimeAt } from '../../../platform/kernel/time/written-time.ts'
import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { type Form, page } from '../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  lineField,
  mistakePart,
  sentAgain,
  shownField,
  tickField,
} from '../parts/forms/fields.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { numberOrText } from './period-fields.ts'
import { inFormWords } from './mistake-words.ts'
import { isStale, saveRules, seen } from './save-rules.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings'

/** Parties, notice, pacing and turn times. */
export const limitsPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/limits`,
    role: 'manager',
    answer: async ({ db, venue }) => {
      const rules = await allBookingRules(db, venue.id)
      return page('Limits', limitsBody(rules, { typed: typedOf(rules) }))
    },
  },
  {
    method: 'POST',
    path: `${home}/limits`,
    role: 'manager',
    answer: (work, { form }) => {
      const number = (name: string) => numberOrText(form.text(name).trim())
      return saveRules(work, form, {
        action: 'change the limits',
        done: 'Limits saved.',
        back: `${home}/limits`,
        edit: ({ slotStepMinutes: _step, onlinePaused: _paused, ...document }) => ({
          ...document,
          minParty: number('minParty') ?? 1,
          maxParty: number('maxParty') ?? null,
          minNoticeMinutes: number('minNoticeMinutes') ?? 0,
          maxDaysAhead: number('maxDaysAhead') ?? null,
          sameDayCutoff: form.text('sameDayCutoff').trim() || null,
          pacing: {
            intervalMinutes: number('intervalMinutes') ?? 15,
            maxCovers: number('maxCovers') ?? null,
            maxParties: number('maxParties') ?? null,
          },
          slotStepMinutes: number('slotStepMinutes') ?? 15,
          onlinePaused: form.text('onlinePaused') === 'yes',
          turnMinutes: turnsIn(form),
        }),
      })
    },
    again: async ({ db, venue }, { form }, { message }) => {
      const rules = await allBookingRules(db, venue.id)
      return page(
        'Limits',
        limitsBody(
          rules,
          sentAgain(form, inFormWords(message), isStale(rules, form) ? typedOf(rules) : undefined),
        ),
      )
    },
  },
]

/** As many as the rules document allows, plus one. */
const mostTurns = 51

const turnsIn = (form: Form): object[] =>
  Array.from({ length: mostTurns }, (_, i) => ({
    upTo: numberOrText(form.text(`upTo-${i}`).trim()),
    minutes: numberOrText(form.text(`minutes-${i}`).trim()),
  })).filter(({ upTo, minutes }) => upTo !== undefined || minutes !== undefined)

const typedOf = (rules: DocumentRules): Typed => {
  const { pacing, turnTimes, sameDayCutoffMinute: cutoff } = rules
  const text = (value: number | null | undefined) => String(value ?? '')
  return {
    minParty: text(rules.minParty),
    maxParty: text(rules.maxParty),
    minNoticeMinutes: text(rules.minNoticeMinutes),
    maxDaysAhead: text(rules.maxDaysAhead),
    sameDayCutoff: cutoff === null ? '' : clockTimeAt(cutoff),
    intervalMinutes: text(pacing.intervalMinutes),
    maxCovers: text(pacing.maxCovers),
    maxParties: text(pacing.maxParties),
    slotStepMinutes: text(rules.slotStepMinutes),
    onlinePaused: rules.onlinePaused ? 'yes' : '',
    ...Object.fromEntries(
      turnTimes.flatMap(({ upTo, minutes }, i) => [
        [`upTo-${i}`, text(upTo)],
        [`minutes-${i}`, text(minutes)],
      ]),
    ),
  }
}

const limitsBody = (rules: DocumentRules, form: FormSeen): Html => {
  const number = (name: string, label: string, hint = '') =>
    lineField(form, { name, label, hint, numeric: 'numeric' })
  const lastTurn = Array.from({ length: mostTurns }, (_, i) => i).findLast((i) =>
    [form.typed, form.meanwhile].some((one) => one?.[`upTo-${i}`] || one?.[`minutes-${i}`]),
  )
  const turns = Math.min(mostTurns, (lastTurn ?? -1) + 2)
  return html`${settingsHead(`${home}/limits`)}
    <section class="card">
      <form class="form" method="post" action="${home}/limits">
        ${mistakePart(form)} ${seen(rules)}${shownField(form)}
        <h2>Parties and notice</h2>
        <div class="fields">
          ${number('minParty', 'Smallest party')}${number('maxParty', 'Largest party', 'Leave empty for no limit.')}
          ${number('minNoticeMinutes', 'Notice (minutes)')}${number('maxDaysAhead', 'Days ahead', 'Leave empty for no limit.')}
          ${lineField(form, {
            name: 'sameDayCutoff',
            label: 'Same-day cut-off',
            type: 'time',
            hint: 'No more bookings for today after this time.',
          })}
        </div>
        <h2>Pacing</h2>
        <div class="fields">
          ${number('intervalMinutes', 'Slot length (minutes)')}${number('maxCovers', 'Guests per slot', 'Leave empty for no limit. 0 takes no bookings.')}${number('maxParties', 'Parties per slot', 'Leave empty for no limit. 0 takes no bookings.')}${number('slotStepMinutes', 'Offer times every (minutes)')}
        </div>
        <h2>Turn times</h2>
        ${Array.from(
          { length: turns },
          (_, i) =>
            html`<div class="fields">
              ${number(`upTo-${i}`, 'Party of up to')}${number(`minutes-${i}`, 'Minutes')}
            </div>`,
        )}
        ${tickField(form, { name: 'onlinePaused', label: 'Online booking is paused' })}
        <div><button class="primary">Save</button></div>
      </form>
    </section>`
}
