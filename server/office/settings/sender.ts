import { type Html, html } from '../../html/html.ts'
import { senderOf } from '../../mail/addressing.ts'
import { type SenderState, mailSenderLink, senderStateOf } from '../../mail/venue-sender.ts'
import { domainOf } from '../../kernel/mailbox.ts'
import type { Context } from '../../context.ts'
import type { VenueRow } from '../../venue/venues.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import { warning } from '../parts/said.ts'
import { momentInWords } from '../parts/words.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'

const venuePage = '/office/settings/venue'

/** The link that is mailed to the venue's sender, so that whoever reads mail there can say yes. */
export const senderLinkPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'POST',
    path: `${venuePage}/sender`,
    role: 'manager',
    apart: true,
    // The relay may take its time.
    answerWithinSeconds: 35,
    answer: async (work) => {
      const { address, outcome } = await mailSenderLink(context, actorOf(work.me), work.venue)
      return go(
        venuePage,
        outcome.kind === 'accepted'
          ? `A link was mailed to ${address}. Open it there and press the button.`
          : warning(
              `The link could not be mailed to ${address}. Look whether the address is right, and try again.`,
            ),
      )
    },
    again: async (_work, _asked, { message }) => go(venuePage, warning(message)),
  },
]

/** What is known of the sender that is saved, and what to do next. */
export const senderPart = async (
  { config, mail }: Pick<Context, 'config' | 'mail'>,
  { db, venue, now }: OfficeWork,
  row: VenueRow,
): Promise<Html> => {
  const state = await senderStateOf(db, config, row, now())
  const { address } = senderOf(config, row)
  return html`<section class="card" id="sender">
    <h2>Sender of mail</h2>
    <p><strong>${address}</strong>: ${stateInWords(state, venue.timezone)}</p>
    ${
      (state.kind === 'unverified' || state.kind === 'waits') &&
      html`<p class="soft">
          Until somebody who reads mail there presses the button in a mail, no campaign is sent from this address. The
          domain ${domainOf(address)} also needs records in the DNS that let this service send; who runs the service
          knows them.
        </p>
        ${mail.kind === 'files' && html`<p class="soft">This service sends no mail: the link is written as a file on the server.</p>`}
        <form method="post" action="${venuePage}/sender">
          <button>${state.kind === 'waits' ? 'Mail the link again' : 'Mail the link'}</button>
        </form>`
    }
  </section>`
}

const stateInWords = (state: SenderState, zone: string): Html => {
  switch (state.kind) {
    case 'service':
      return state.isSet
        ? html`the service’s own, which needs no confirming.`
        : html`<span class="trouble">no sender is set up, neither here nor by who runs the service.</span>`
    case 'verified':
      return state.by === 'operator'
        ? html`confirmed by who runs the service, ${momentInWords(state.at, zone)}.`
        : html`confirmed by the link, ${momentInWords(state.at, zone)}.`
    case 'waits':
      return html`waits to be confirmed. A link was mailed there ${momentInWords(state.sentAt, zone)}; it is good for a
      week.`
    case 'unverified':
      return html`<span class="trouble">not confirmed yet.</span>`
    default:
      return state satisfies never
  }
}
