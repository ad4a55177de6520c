import { holdoutMost, leastForHoldout, whatItTakes } from '../../../marketing/campaigns/audience/holdout.ts'
import {
  type MailSettings,
  mailSettings,
  saveMailSettings,
} from '../../../marketing/campaigns/mail-settings.ts'
import { subscriberCounts } from '../../../marketing/subscribers/staff-reads.ts'
import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { senderOf } from '../../../mail/addressing.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import {
  type FormSeen,
  lineField,
  mistakePart,
  typedIn,
  versionField,
  versionIn,
  wholeNumberIn,
} from '../parts/forms/fields.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { counted } from '../parts/pager.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/mail'

/** Settings for every campaign: the held-back share, the sender, and where email goes. */
export const mailPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => page('Email', await mailBody(context, work)),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      await saveMailSettings(work, actorOf(work.me), {
        seenVersion: versionIn(form),
        holdoutPct:
          form.text('holdoutPct').trim() === '' ? 0 : (wholeNumberIn(form.text('holdoutPct')) ?? Number.NaN),
      })
      return go(home, 'Email settings saved.')
    },
    again: async (work, { form }, { message }) =>
      page('Email', await mailBody(context, work, { typed: typedIn(form), mistake: message })),
  },
]

const typedOf = ({ holdout_pct }: MailSettings) => ({ holdoutPct: String(holdout_pct) })

const mailBody = async (
  { config, mail }: Context,
  { db, venue }: OfficeWork,
  sent?: FormSeen,
): Promise<Html> => {
  const [settings, row, subscribers] = await Promise.all([
    mailSettings(db, venue.id),
    venueOfSlug(db, venue.slug),
    subscriberCounts(db, venue.id),
  ])
  const isStale = sent !== undefined && sent.typed['version'] !== String(settings.version)
  const seen: FormSeen = sent
    ? { ...sent, ...(isStale && { meanwhile: typedOf(settings) }) }
    : { typed: typedOf(settings) }
  const sender = senderOf(config, row)
  return html`${settingsHead(home)}
    <div class="stack">
      <section class="card">
        <h2>Held back for comparison</h2>
        <p class="soft">
          A share of people who get nothing, so you can compare them with those who do. The same people are held back from every email in a series; for lists under ${leastForHoldout} nobody is held back.
        </p>
        <p class="soft">${heldInWords(subscribers.get('subscribed') ?? 0, settings.holdout_pct)}</p>
        <form class="form" method="post" action="${home}">
          ${mistakePart(seen)} ${versionField(settings.version)}
          <div class="quick">
            ${lineField(seen, { name: 'holdoutPct', label: 'Percent of each list', type: 'number', least: 0, greatest: holdoutMost })}
            <button class="primary">Save</button>
          </div>
        </form>
      </section>
      <section class="card">
        <h2>Sender and tests</h2>
        <dl class="facts">
          <dt>Sender</dt>
          <dd>${sender.name} &lt;${sender.address}&gt;${row.mail_from === null && html` <span class="soft">(the service’s own)</span>`}</dd>
          <dt>Postal address</dt>
          <dd>${row.postal_address ?? html`<span class="trouble">missing: campaigns cannot be sent without one</span>`}</dd>
          <dt>Tests go to</dt>
          <dd>${row.test_addresses.length === 0 ? html`<span class="trouble">nobody yet</span>` : row.test_addresses.join(', ')}</dd>
          <dt>Email is sent by</dt>
          <dd>${mail.kind === 'relay' ? 'this service’s mail relay' : 'files on the server: nobody receives it'}</dd>
        </dl>
        <div><a class="button" href="/office/settings/venue">Change sender, address and test addresses</a></div>
      </section>
    </div>`
}

/** "5% of your 1,171 subscribers is about 58. From 100 held back on, reports can say what a campaign brought: about 9% of 1,171 people." */
const heldInWords = (people: number, percent: number): string => {
  const held = Math.floor((people * percent) / 100)
  const now =
    people < leastForHoldout || percent === 0
      ? `You have ${counted(people, 'subscriber')}.`
      : `${percent}% of your ${counted(people, 'subscriber')} is about ${numberInWords(held)}.`
  return `${now} ${whatItTakes({ people, held, percent }) ?? ''}`.trim()
}
