import { type Html, html } from '../../html/html.ts'
import { clockTimeAt } from '../../kernel/written-time.ts'
import type { DocumentRules } from '../../venue/booking-rules.ts'
import { allBookingRules } from '../../venue/rules-store.ts'
import { page } from '../page.ts'
import type { VenuePage } from '../serve-page.ts'
import { numberOrText } from './period-fields.ts'
import { saveRules, seen } from './save-rules.ts'
import { settingsHead } from './settings-head.ts'

const home = '/office/settings'

/** Parties, notice, pacing and turn times. */
export const limitsPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/limits`,
    role: 'manager',
    answer: async ({ db, venue }) => {
      const rules = await allBookingRules(db, venue.id)
      return page('Limits', html`${settingsHead(`${home}/limits`)}${limitsCard(rules)}`)
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
        done: 'The limits were saved.',
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
          turnMinutes: form.all('upTo').flatMap((upTo, i) => {
            const minutes = form.all('minutes')[i]?.trim() ?? ''
            return upTo.trim() === '' && minutes === ''
              ? []
              : [{ upTo: numberOrText(upTo.trim()), minutes: numberOrText(minutes) }]
          }),
        }),
      })
    },
  },
]

const limitsCard = (rules: DocumentRules): Html =>
  html`<section class="card">
    <form class="form" method="post" action="${home}/limits">
      ${seen(rules)}
      <h2>Parties and notice</h2>
      <div class="fields">
        ${number('minParty', 'Smallest party', rules.minParty)}${number('maxParty', 'Largest party', rules.maxParty, 'Empty: no limit.')}
        ${number('minNoticeMinutes', 'Notice, in minutes', rules.minNoticeMinutes)}${number('maxDaysAhead', 'Days ahead', rules.maxDaysAhead, 'Empty: no limit.')}
        <label class="field"
          ><span>Same-day cut-off</span
          ><input
            type="time"
            name="sameDayCutoff"
            value="${rules.sameDayCutoffMinute === null ? '' : clockTimeAt(rules.sameDayCutoffMinute)}"
          /><small>From then on today takes no more bookings.</small></label
        >
      </div>
      <h2>Pacing</h2>
      <div class="fields">
        ${number('intervalMinutes', 'Slot, in minutes', rules.pacing.intervalMinutes)}${number('maxCovers', 'Guests per slot', rules.pacing.maxCovers, 'Empty: no limit.')}${number('maxParties', 'Parties per slot', rules.pacing.maxParties, 'Empty: no limit.')}${number('slotStepMinutes', 'Times shown every … minutes', rules.slotStepMinutes)}
      </div>
      <h2>How long a table is held</h2>
      ${[...rules.turnTimes, undefined].map(
        (row) =>
          html`<div class="fields">
            <label class="field"
              ><span>Party of up to</span
              ><input name="upTo" inputmode="numeric" value="${row?.upTo ?? ''}" /></label
            ><label class="field"
              ><span>Minutes</span><input name="minutes" inputmode="numeric" value="${row?.minutes ?? ''}"
            /></label>
          </div>`,
      )}
      <label class="check"
        ><input type="checkbox" name="onlinePaused" value="yes" ${rules.onlinePaused && html`checked`} />
        Online booking is paused</label
      >
      <div><button class="primary">Save</button></div>
    </form>
  </section>`

const number = (name: string, label: string, value: number | null, hint?: string): Html =>
  html`<label class="field"
    ><span>${label}</span
    ><input
      name="${name}"
      inputmode="numeric"
      value="${value ?? ''}"
    />${hint && html`<small>${hint}</small>`}</label
  >`
