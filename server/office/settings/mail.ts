import {
  holdoutMost,
  type MailSettings,
  mailSettings,
  saveMailSettings,
} from '../../campaigns/mail-settings.ts'
import type { Context } from '../../context.ts'
import { type Html, html } from '../../html/html.ts'
import { senderOf } from '../../mail/addressing.ts'
import { venueOfSlug } from '../../venue/actions.ts'
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
} from '../parts/fields.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/mail'

/** What holds for every campaign: the share that is spared, the sender, and where mail goes. */
export const mailPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => page('Mail', await mailBody(context, work)),
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
      return go(home, 'The settings of mail were saved.')
    },
    again: async (work, { form }, { message }) =>
      page('Mail', await mailBody(context, work, { typed: typedIn(form), mistake: message })),
  },
]

const typedOf = ({ holdout_pct }: MailSettings) => ({ holdoutPct: String(holdout_pct) })

const mailBody = async (
  { config, mail }: Context,
  { db, venue }: OfficeWork,
  sent?: FormSeen,
): Promise<Html> => {
  const [settings, row] = await Promise.all([mailSettings(db, venue.id), venueOfSlug(db, venue.slug)])
  const isStale = sent !== undefined && sent.typed['version'] !== String(settings.version)
  const seen: FormSeen = sent
    ? { ...sent, ...(isStale && { meanwhile: typedOf(settings) }) }
    : { typed: typedOf(settings) }
  const sender = senderOf(config, row)
  return html`${settingsHead(home)}
    <div class="stack">
      <section class="card">
        <h2>Held back to compare</h2>
        <p class="soft">
          A share of people who get nothing, so that what the others do can be compared with what they do anyway. The
          same people are spared in all mails of a series; a list of fewer than 100 spares nobody.
        </p>
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
          <dd>${row.postal_address ?? html`<span class="trouble">none: no campaign can be sent without one</span>`}</dd>
          <dt>Tests go to</dt>
          <dd>${row.test_addresses.length === 0 ? html`<span class="trouble">nobody yet</span>` : row.test_addresses.join(', ')}</dd>
          <dt>Mail leaves by</dt>
          <dd>${mail.kind === 'relay' ? 'the mail relay of this service' : 'files on the server: nothing reaches anybody'}</dd>
        </dl>
        <div><a class="button" href="/office/settings/venue">Change sender, address and tests</a></div>
      </section>
    </div>`
}
