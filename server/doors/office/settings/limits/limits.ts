import { type Html, html } from '../../../../platform/html/html.ts'
import { type DocumentRules, defaultShortestStays } from '../../../../book/rules/booking-rules.ts'
import { printRulesDocument } from '../../../../book/rules/rules-document.ts'
import { allBookingRules } from '../../../../book/rules/rules-store.ts'
import { type Form, page } from '../../frame/page.ts'
import {
  type FormSeen,
  type Typed,
  lineField,
  mistakePart,
  sentAgain,
  shownField,
  tickField,
} from '../../parts/forms/fields.ts'
import type { VenuePage } from '../../frame/serve-page.ts'
import { limitField, limitRows, limitTexts, limitTyped, numberOrText } from './limit-rows.ts'
import { inFormWords } from '../mistake-words.ts'
import { isStale, saveRules, rulesVersionField } from '../save-rules.ts'
import { settingsHead } from '../tabs.ts'
import { guestsSuggested, suggestedInWords } from './suggested.ts'

const home = '/office/settings'

/** Parties, notice, pacing and turn times. */
export const limitsPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/limits`,
    role: 'manager',
    answer: async ({ db, venue }, { query }) => {
      const rules = await allBookingRules(db, venue.id)
      return page('Limits', limitsBody(rules, { typed: typedOf(rules) }, guestsSuggested(query)))
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
        edit: ({ slotStepMinutes: _step, onlinePaused: _paused, shortestStays: _shortest, ...document }) => ({
          ...document,
          ...Object.fromEntries(
            limitRows.map((row) => [row.name, limitTyped(row, form.text(row.name).trim()) ?? null]),
          ),
          pacing: {
            intervalMinutes: number('intervalMinutes') ?? 15,
            maxCovers: number('maxCovers') ?? null,
            maxParties: number('maxParties') ?? null,
          },
          slotStepMinutes: number('slotStepMinutes') ?? 15,
          onlinePaused: form.text('onlinePaused') === 'yes',
          turnMinutes: rowsIn(form, turns),
          shortestStays: rowsIn(form, shortest),
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
const mostRows = 51

/** Minutes by the size of the party: the names of their fields, each with a number behind it. */
type BySize = { readonly upTo: string; readonly minutes: string }
const turns: BySize = { upTo: 'upTo', minutes: 'minutes' }
const shortest: BySize = { upTo: 'shortUpTo', minutes: 'shortMinutes' }

const rowsIn = (form: Form, names: BySize): object[] =>
  Array.from({ length: mostRows }, (_, i) => ({
    upTo: numberOrText(form.text(`${names.upTo}-${i}`).trim()),
    minutes: numberOrText(form.text(`${names.minutes}-${i}`).trim()),
  })).filter(({ upTo, minutes }) => upTo !== undefined || minutes !== undefined)

const typedRows = (rows: DocumentRules['turnTimes'], names: BySize): Typed =>
  Object.fromEntries(
    rows.flatMap(({ upTo, minutes }, i) => [
      [`${names.upTo}-${i}`, String(upTo)],
      [`${names.minutes}-${i}`, String(minutes)],
    ]),
  )

const typedOf = (rules: DocumentRules): Typed => {
  const { pacing } = rules
  const text = (value: number | null | undefined) => String(value ?? '')
  return {
    ...limitTexts(limitRows, printRulesDocument(rules)),
    intervalMinutes: text(pacing.intervalMinutes),
    maxCovers: text(pacing.maxCovers),
    maxParties: text(pacing.maxParties),
    slotStepMinutes: text(rules.slotStepMinutes),
    onlinePaused: rules.onlinePaused ? 'yes' : '',
    ...typedRows(rules.turnTimes, turns),
    ...typedRows(rules.shortestStays, shortest),
  }
}

const usualWords = defaultShortestStays
  .map(({ upTo, minutes }, i) =>
    i < defaultShortestStays.length - 1 ? `${minutes} minutes for up to ${upTo}` : `${minutes} for more`,
  )
  .join(', ')

const limitsBody = (rules: DocumentRules, form: FormSeen, suggested?: number): Html => {
  const number = (name: string, label: string, hint = '') =>
    lineField(form, { name, label, hint, numeric: 'numeric' })
  const rowsOf = (names: BySize): Html[] => {
    const last = Array.from({ length: mostRows }, (_, i) => i).findLast((i) =>
      [form.typed, form.meanwhile].some(
        (one) => one?.[`${names.upTo}-${i}`] || one?.[`${names.minutes}-${i}`],
      ),
    )
    return Array.from(
      { length: Math.min(mostRows, (last ?? -1) + 2) },
      (_, i) =>
        html`<div class="fields">
          ${number(`${names.upTo}-${i}`, 'Party of up to')}${number(`${names.minutes}-${i}`, 'Minutes')}
        </div>`,
    )
  }
  return html`${settingsHead(`${home}/limits`)}
    <section class="card">
      <form class="form" method="post" action="${home}/limits">
        ${mistakePart(form)} ${rulesVersionField(rules)}${shownField(form)}
        <h2>Parties and notice</h2>
        <div class="fields">
          ${limitRows.map((row) => limitField(form, row))}
        </div>
        <h2 id="pacing">Pacing</h2>
        ${suggested !== undefined && html`<p class="hint">${suggestedInWords(suggested)}</p>`}
        <div class="fields">
          ${number('intervalMinutes', 'Slot length (minutes)')}${number('maxCovers', 'Guests per slot', 'Leave empty for no limit. 0 takes no bookings.')}${number('maxParties', 'Parties per slot', 'Leave empty for no limit. 0 takes no bookings.')}${number('slotStepMinutes', 'Offer times every (minutes)')}
        </div>
        <h2>Turn times</h2>
        ${rowsOf(turns)}
        <h2>Shortest stays</h2>
        <p class="soft small">
          A table that is free for a while, but not for the whole turn time, is offered to staff if the party can stay at least
          this long. Nothing here means ${usualWords}; 0 minutes offers none. Guests online are never offered a short stay.
        </p>
        ${rowsOf(shortest)}
        ${tickField(form, { name: 'onlinePaused', label: 'Online booking is paused' })}
        <div><button class="primary">Save</button></div>
      </form>
    </section>`
}
