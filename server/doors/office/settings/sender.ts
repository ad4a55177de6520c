import { type Html, html } from '../../../platform/html/html.ts'
import { senderOf } from '../../../mail/addressing.ts'
import { type SenderState, mailSenderLink, senderStateOf } from '../../../mail/venue-sender.ts'
import { domainOf } from '../../../platform/kernel/mailbox.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import type { Context } from '../../../context.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'

const venuePage = '/office/settings/venue'

/** The link emailed to the venue's sender address, so that the person who reads its email can confirm. */
export const senderLinkPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'POST',
    path: `${venuePage}/sender`,
    role: 'manager',
    apart: true,
    // The relay may be slow.
    answerWithinSeconds: 35,
    answer: async (work) => {
      const { address, outcome } = await mailSenderLink(context, actorOf(work.me), work.venue)
      return go(
        venuePage,
        outcome.kind === 'accepted'
          ? `We emailed a link to ${address}. Open it there and press the button.`
          : warning(`The link could not be emailed to ${address}. Check the address and try again.`),
      )
    },
    again: async (_work, _asked, { message }) => go(venuePage, warning(message)),
  },
]

/** The saved sender's status, and what to do next. */
export const senderPart = async (
  { config, mail }: Pick<Context, 'config' | 'mail'>,
  { db, venue, now }: OfficeWork,
  row: VenueRow,
): Promise<Html> => {
  const state = await senderStateOf(db, config, row, now())
  const { address } = senderOf(config, row)
  return html`<section class="card" id="sender">
    <h2>Email sender</h2>
    <p><strong>${address}</strong>: ${stateInWords(state, venue.timezone)}</p>
    ${
      (state.kind === 'unverified' || state.kind === 'waits') &&
      html`<p class="soft">
          No campaign is sent from this address until somebody who reads its email opens the link and confirms. The domain ${domainOf(address)} also needs DNS records that let this service send; the operator of the service knows them.
        </p>
        ${mail.kind === 'files' && html`<p class="soft">This service does not send email: the link is written to a file on the server.</p>`}
        <form method="post" action="${venuePage}/sender">
          <button>${state.kind === 'waits' ? 'Email the link again' : 'Email the link'}</button>
        </form>`
    }
  </section>`
}

const stateInWords = (state: SenderState, zone: string): Html => {
  switch (state.kind) {
    case 'service':
      return state.isSet
        ? html`the service’s own; no confirmation needed.`
        : html`<span class="trouble">no sender is set up, here or by the operator of the service.</span>`
    case 'verified':
      return state.by === 'operator'
        ? html`confirmed by the operator of the service, ${momentInWords(state.at, zone)}.`
        : html`confirmed by the link, ${momentInWords(state.at, zone)}.`
    case 'waits':
      return html`waiting for confirmation. A link was emailed there ${momentInWords(state.sentAt, zone)}; it works for a week.`
    case 'unverified':
      return html`<span class="trouble">not confirmed yet.</span>`
    default:
      return state satisfies never
  }
}
