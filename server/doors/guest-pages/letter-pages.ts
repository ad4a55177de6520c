import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { chooseWeeklyLetter, letterAddress } from '../../core/staff/weekly-letter.ts'
import { venueOfId } from '../../core/venue/venues.ts'
import { readLinkToken } from '../../mail/link-token.ts'
import { pageMethods } from '../../platform/http/server.ts'
import { type Html, html, textOf } from '../../platform/html/html.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { maskedAddress } from './pages.ts'
import { type Look, plainFrame } from './frame/whole-page.ts'

/*
 * The page behind the link that ends the letter about each week. It is mailed to staff, who need not sign in for it: the link
 * is the proof, and all it can do is end that letter. A GET changes nothing; a POST acts at once, as a mail program sends it.
 */

const path = '/l/:token'
export const letterPages = [
  { method: 'GET', path },
  { method: 'POST', path },
] as const

/** Adds the page to the guests' pages, with the same headers. */
export const serveLetterPages = (app: FastifyInstance, { db, secrets }: Context, look: Look): void => {
  for (const { method } of letterPages) {
    app.route({
      method: pageMethods(method),
      url: path,
      handler: async (request, reply) => {
        const { token } = request.params as { token: string }
        const about = readLinkToken(secrets, 'letter', token)
        const venue = about && (await venueOfId(db, about.venue))
        if (!about || !venue) throw linkIsDamaged()
        if (method === 'POST') await chooseWeeklyLetter(db, { venue: venue.id, id: about.subscriber }, false)
        const email = await letterAddress(db, venue.id, about.subscriber)
        return sent(
          reply,
          email === undefined ? endedPage(look, venue.name) : endPage(look, venue.name, email),
        )
      },
    })
  }
}

const sent = (reply: FastifyReply, body: Html): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(textOf(body))

const endPage = (look: Look, venue: string, email: string): Html =>
  plainFrame(
    look,
    'Stop the weekly letter',
    html`<p class="soft">${venue}</p>
      <h1>Stop the weekly letter?</h1>
      <p>The letter about each week goes to <strong>${maskedAddress(email)}</strong> on Mondays.</p>
      <form method="post"><button class="btn">Stop the letter</button></form>
      <p class="hint">You can turn it on again in the office, under Your account.</p>`,
  )

const endedPage = (look: Look, venue: string): Html =>
  plainFrame(
    look,
    'The letter is stopped',
    html`<p class="soft">${venue}</p>
      <h1>The letter is stopped</h1>
      <p role="status">No weekly letter goes to this address.</p>
      <p class="hint">You can turn it on again in the office, under Your account.</p>`,
  )

const linkIsDamaged = (): Refusal => new Refusal(404, 'This link is damaged, or its venue is gone.')
