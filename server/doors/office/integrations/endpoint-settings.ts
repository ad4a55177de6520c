import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { OwnersEndpoint } from '../../../integrations/webhooks/owner.ts'
import { isRotating } from '../../../integrations/webhooks/secrets.ts'
import {
  type FormSeen,
  type Typed,
  choiceField,
  lineField,
  mistakePart,
  tickField,
  tokenField,
} from '../parts/forms/fields.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'

/* What an owner sets of an endpoint. Hooks have none of it: their bodies and their end are the platform's. */

/** What came back, and of which form. */
export type SettingsSeen = { readonly form: 'settings' | 'secret'; readonly seen: FormSeen }

export const settingsParts = (
  one: OwnersEndpoint,
  zone: string,
  now: Temporal.Instant,
  back: SettingsSeen | undefined,
): Html =>
  html`${settingsPart(one, seenOf(back, 'settings') ?? { typed: typedOf(one) })}
  ${secretPart(one, zone, now, seenOf(back, 'secret') ?? { typed: { overlap: '24' } })}`

const seenOf = (back: SettingsSeen | undefined, form: SettingsSeen['form']): FormSeen | undefined =>
  back?.form === form ? back.seen : undefined

const typedOf = ({ description, payload, include, signatures }: OwnersEndpoint): Typed => ({
  description: description ?? '',
  thin: payload === 'thin' ? 'yes' : '',
  previous: include.includes('previous') ? 'yes' : '',
  standard: signatures.includes('standard') ? 'yes' : '',
})

const settingsPart = ({ id }: OwnersEndpoint, seen: FormSeen): Html =>
  html`<section class="card">
    <header><h2>What is sent</h2></header>
    ${mistakePart(seen)}
    <form class="form" method="post" action="/office/integrations/endpoints/${id}/settings">
      ${lineField(seen, { name: 'description', label: 'What it is for', most: limits.shortTextCharacters })}
      ${tickField(seen, { name: 'thin', label: 'Send only the id of each record, and no personal data' })}
      ${tickField(seen, { name: 'previous', label: 'Also send what changed fields were before' })}
      ${tickField(seen, { name: 'standard', label: 'Also sign for libraries of Standard Webhooks' })}
      <div><button class="primary">Save</button></div>
    </form>
  </section>`

const overlaps = [
  ['0', 'ends at once'],
  ['1', 'works for one more hour'],
  ['24', 'works for one more day'],
  ['72', 'works for 3 more days'],
  ['168', 'works for 7 more days'],
] as const

/** Whether hours are one of the choices. */
export const isOverlap = (hours: string): boolean => overlaps.some(([one]) => one === hours)

const secretPart = (one: OwnersEndpoint, zone: string, now: Temporal.Instant, seen: FormSeen): Html => {
  const isOpen = isRotating(one, now)
  return html`<section class="card">
    <header><h2>Signing secret</h2></header>
    <p class="soft">
      ${
        isOpen && one.previous_until !== null
          ? html`Deliveries are signed with the new secret and, until ${momentInWords(one.previous_until, zone)}, with the one before. If the new one was lost, throw it away and make another.`
          : 'Whoever runs the receiving software checks deliveries with this secret. Make a new one if somebody else may know it.'
      }
    </p>
    ${mistakePart(seen)}
    <form class="form" method="post" action="/office/integrations/endpoints/${one.id}/secret">
      ${tokenField()}
      ${
        isOpen
          ? html`<input type="hidden" name="replace" value="yes" />`
          : choiceField(seen, { name: 'overlap', label: 'Current secret', choices: overlaps })
      }
      <label class="field"
        ><span>Your password or a code</span
        ><input name="password" type="password" autocomplete="current-password" required
      /></label>
      <div><button>${isOpen ? 'Discard and make another' : 'Make a new secret'}</button></div>
    </form>
  </section>`
}
