import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { pageMethods } from '../../platform/http/server.ts'
import { type Html, html, textOf } from '../../platform/html/html.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { linkedSender, verifyByLink } from '../../mail/venue-sender.ts'
import { type Look, plainFrame } from './frame/whole-page.ts'

/*
 * The pages behind the link mailed to a venue's sender address. The person who reads mail there may have no account, so the
 * link is the only proof. A GET changes nothing, because mail scanners follow every link.
 */

export const senderPages = [
  { method: 'GET', path: '/s/:token' },
  { method: 'POST', path: '/s/:token' },
] as const

/** Adds these pages to the guests' pages, with the same headers. */
export const serveSenderPages = (app: FastifyInstance, context: Context, look: Look): void => {
  const sent = (reply: FastifyReply, body: Html): FastifyReply =>
    reply.type('text/html; charset=utf-8').send(textOf(body))
  app.route({
    method: pageMethods('GET'),
    url: '/s/:token',
    handler: async (request, reply) =>
      sent(reply, await pageOf(context, (request.params as { token: string }).token, look)),
  })
  app.route({
    method: 'POST',
    url: '/s/:token',
    handler: async (request, reply) => {
      const { token } = request.params as { token: string }
      if (!(await verifyByLink(context, token))) throw linkIsOver()
      return sent(reply, await pageOf(context, token, look))
    },
  })
}

const pageOf = async ({ db, clock }: Context, token: string, look: Look): Promise<Html> => {
  const linked = await linkedSender(db, token, clock())
  if (!linked) throw linkIsOver()
  const { venue, address, isVerified } = linked
  return isVerified
    ? plainFrame(
        look,
        'Sender confirmed',
        html`<p class="soft">${venue.name}</p>
          <h1>Thank you, this address is confirmed</h1>
          <p role="status">${venue.name} may send its email from <strong>${address}</strong>.</p>`,
      )
    : plainFrame(
        look,
        'Confirm a sender',
        html`<p class="soft">${venue.name}</p>
          <h1>May ${venue.name} send from this address?</h1>
          <p>${venue.name} would like to send its email from <strong>${address}</strong>.</p>
          <form method="post"><button class="btn">Yes, confirm this sender</button></form>
          <p class="hint">If you did not expect this, close the page: nothing will be sent in your name.</p>`,
      )
}

const linkIsOver = (): Refusal =>
  new Refusal(
    404,
    'This link no longer works: it was replaced by a newer one, the venue now has a different sender, or it is more than a week old.',
  )
