import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { leaveByLink } from '../../marketing/campaigns/leaving.ts'
import type { Context, Work } from '../../context.ts'
import type { Gate } from '../../platform/db/gate.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { refusalOf } from '../../platform/http/answer-error.ts'
import { packedOnce } from '../../platform/http/compression.ts'
import { notForSearch } from '../../platform/http/not-for-search.ts'
import { type AnswerUnknown, type Served, pageMethods, servedPages } from '../../platform/http/server.ts'
import { type Html, textOf } from '../../platform/html/html.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { remember } from '../../platform/kernel/running/remember.ts'
import { type LinkFacts, type LinkPurpose, readLinkToken } from '../../mail/link-token.ts'
import { pauses, readPreferences, savePreferences } from '../../marketing/subscribers/preferences.ts'
import { languageOfSubscriber } from '../../marketing/subscribers/sign-up.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { type VenueRow, venueOfId } from '../../core/venue/venues.ts'
import type { Speaking } from '../../messages/guest-mail/writing.ts'
import { accentStyle } from '../../messages/guest-words/accent.ts'
import { chooseLanguage } from '../../messages/guest-words/choose-language.ts'
import { formatsFor } from '../../messages/guest-words/formats.ts'
import { wordsIn } from '../../messages/guest-words/words.ts'
import { bookPages } from './doors/book.ts'
import { proofPages } from './doors/book-proof.ts'
import { enquirePages } from './doors/enquire.ts'
import { confirmPages, newsPages } from './doors/news.ts'
import { linePages } from './doors/line.ts'
import { ownBookingPages } from './doors/booking.ts'
import { ownOrderPages } from './doors/order.ts'
import { payPages } from './doors/pay.ts'
import { placePages, placeScript } from './doors/place.ts'
import { ticketPages } from './doors/tickets.ts'
import { venuePages } from './doors/venue.ts'
import { embedScript } from './embed.ts'
import {
  type DoorPage,
  type LinkPage,
  nothingHerePage,
  serveDoorPages,
  serveLinkPages,
} from './frame/serve-visits.ts'
import { framedScript } from './frame/framed.ts'
import { guestStyle } from './frame/style.ts'
import type { Look } from './frame/whole-page.ts'
import { pictureRoutes, serveLogos } from './frame/serve-logos.ts'
import {
  type Mailing,
  choicesPage,
  goneSubscriber,
  leavePage,
  leftPage,
  lostLinkPage,
  busyPage,
  mistakePage,
} from './pages.ts'
import { type FormFields, readForm } from '../../platform/http/read-form.ts'
import { findingRoutes, serveFinding } from './serve-finding.ts'
import { letterPages, serveLetterPages } from './letter-pages.ts'
import { senderPages, serveSenderPages } from './sender-pages.ts'

/*
 * The pages behind the links in mail. The link itself is the only proof: no login, no cookie, no check of where a form
 * came from, since mail services send RFC 8058's one click from their own machines. A GET changes nothing, because mail
 * scanners follow every link; a POST acts at once and may be repeated.
 */

type Asked = { readonly mailing: Mailing; readonly path: string; readonly form: FormFields }

type GuestPage = {
  readonly method: 'GET' | 'POST'
  readonly path: '/u/:token' | '/p/:token'
  readonly purpose: LinkPurpose
  readonly answer: (work: Work, about: LinkFacts, asked: Asked) => Promise<Html>
}

const guestPages: readonly GuestPage[] = [
  {
    method: 'GET',
    path: '/u/:token',
    purpose: 'unsubscribe',
    answer: async (work, { subscriber }, { mailing }) => {
      const person = await readPreferences(work, subscriber)
      return person ? leavePage(mailing, person) : goneSubscriber(mailing)
    },
  },
  {
    method: 'POST',
    path: '/u/:token',
    purpose: 'unsubscribe',
    answer: async (work, about, { mailing }) => {
      await leaveByLink(work, about)
      return leftPage(mailing)
    },
  },
  {
    method: 'GET',
    path: '/p/:token',
    purpose: 'preferences',
    answer: async (work, { subscriber }, { mailing, path }) => {
      const person = await readPreferences(work, subscriber)
      return person ? choicesPage(mailing, person, { path }) : goneSubscriber(mailing)
    },
  },
  {
    method: 'POST',
    path: '/p/:token',
    purpose: 'preferences',
    answer: async (work, about, { mailing, path, form }) => {
      if (form.get('do')?.[0] === 'leave') {
        await leaveByLink(work, about)
        return leftPage(mailing)
      }
      const person = await savePreferences(work, about.subscriber, {
        pause: pauseOf(form.get('pause')?.[0] ?? ''),
        birthdayMails: form.has('birthday'),
        topics: new Set((form.get('topic') ?? []).map(Number)),
      })
      return person ? choicesPage(mailing, person, { path, saved: true }) : goneSubscriber(mailing)
    },
  },
]

const pauseOf = (text: string) =>
  text === 'keep' ? text : (pauses.find((days) => String(days) === text) ?? null)

/** The venues' own doors. */
const doorPages: readonly DoorPage[] = [
  ...venuePages,
  ...bookPages,
  ...linePages,
  ...enquirePages,
  ...newsPages,
  ...ticketPages,
]

/** Pages behind private links. */
const linkPages: readonly LinkPage[] = [
  ...confirmPages,
  ...ownBookingPages,
  ...proofPages,
  ...placePages,
  ...ownOrderPages,
  ...payPages,
]

/** Serves the guests' pages; returns the addresses they answer, and what is to be seen at others of the kind. */
export const serveGuestPages = (
  app: FastifyInstance,
  { context, gate }: { readonly context: Context; readonly gate: Gate },
): { readonly served: Served[]; readonly unknown: AnswerUnknown } => {
  const look: Look = {
    style: guestStyle.path,
    practice: context.config.practice,
    payments: context.config.paymentsUrl,
  }
  void app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    // The one click comes as a form of either type; anything else is read and ignored.
    pages.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: formBytes },
      async (request: FastifyRequest, text: string) =>
        readForm(
          request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
            ? withoutNul(text)
            : '',
        ),
    )
    pages.addHook('onRequest', async (request, reply) => {
      reply.headers(pageHeaders)
      // Until a page turns out to be one that may be found (doors/guest-pages/frame/serve-visits.ts).
      if (!isFile(request)) reply.headers(notForSearch)
      // A parameter may be empty for the router.
      const typed = withoutSlash(request)
      if (typed !== undefined) await reply.redirect(typed, 308)
    })
    pages.setErrorHandler((error, request, reply) => {
      const refusal = refusalOf(error, request, context.log)
      reply.code(refusal.status).headers({ ...refusal.headers })
      const preferred = request.headers['accept-language']
      if (refusal.status === 404 && isOf(request, guestPages))
        return sendPage(reply, lostLinkPage(look, preferred))
      if (refusal.status === 503) return sendPage(reply, busyPage(look, preferred))
      return refusal.status === 404 && isOf(request, [...doorPages, ...linkPages, ...pictureRoutes])
        ? reply.type('text/html; charset=utf-8').send(nothingHerePage(look, preferred))
        : sendPage(reply, mistakePage(look, refusal.message))
    })
    for (const page of guestPages) {
      pages.route({
        method: pageMethods(page.method),
        url: page.path,
        handler: async (request, reply) => {
          const { token } = request.params as { token: string }
          const about = readLinkToken(context.secrets, page.purpose, token)
          const venue = about && (await venueOfId(context.db, about.venue))
          if (!about || !venue) throw damagedLink()
          const asked = {
            mailing: {
              look,
              venue,
              speaking: await speakingTo(context.db, request, venue, about.subscriber),
            },
            path: request.url,
            form: request.body instanceof Map ? (request.body as FormFields) : new Map(),
          }
          const act = (db: Queries) =>
            page.answer({ db: db.within(venue.id), venue, now: context.clock }, about, asked)
          const body =
            page.method === 'GET'
              ? await act(context.db)
              : await gate(venue.id, () => context.db.transaction(act))
          if (page.method === 'POST') context.bell.ring()
          return sendPage(reply, body)
        },
      })
    }
    serveSenderPages(pages, context, look)
    serveLetterPages(pages, context, look)
    serveDoorPages(pages, { context, gate, look }, doorPages)
    serveLinkPages(pages, { context, gate, look }, linkPages)
    for (const { route, type, text } of assets) {
      const body = packedOnce(text)
      pages.route({
        method: pageMethods('GET'),
        url: route,
        config: { isFile: true },
        handler: async (request, reply) => body(request, reply.headers(forEver).type(type)),
      })
    }
    serveLogos(pages, context.db)
    serveFinding(pages, context)
    const embedBody = packedOnce(embedScript.text)
    pages.route({
      method: pageMethods('GET'),
      url: embedScript.route,
      config: { isFile: true },
      handler: async (request, reply) => embedBody(request, reply.headers(embedScript.headers)),
    })
    pages.route({
      method: pageMethods('GET'),
      url: accentPath,
      config: { isFile: true },
      handler: async (request, reply) => {
        const { color = '' } = request.params as { color?: string }
        const style = /^[0-9a-f]{6}$/.test(color)
          ? accentStyles.getOr(color, () => accentStyle(`#${color}`))
          : ''
        return reply.headers(forEver).type('text/css; charset=utf-8').send(style)
      },
    })
  })
  const served = servedPages([
    ...guestPages,
    ...senderPages,
    ...letterPages,
    ...doorPages,
    ...linkPages,
    ...assets.map(({ route }) => ({ method: 'GET' as const, path: route })),
    { method: 'GET', path: embedScript.route },
    ...pictureRoutes.map(({ path }) => ({ method: 'GET' as const, path })),
    { method: 'GET', path: accentPath },
    ...findingRoutes.map((path) => ({ method: 'GET' as const, path })),
  ])
  return {
    served,
    unknown: {
      below: /^\/(?:v|r|w|c|o|b|u|p|s|l|pay)(?:\/|$)/,
      answer: async ({ status, headers }, request, reply) => {
        reply.headers({ ...pageHeaders, ...notForSearch, ...headers })
        const typed = withoutSlash(request)
        if (typed !== undefined) return reply.redirect(typed, 308)
        return reply
          .code(status)
          .type('text/html; charset=utf-8')
          .send(nothingHerePage(look, request.headers['accept-language']))
      },
    },
  }
}

/** A venue's address as people type it, with a slash at its end: where it leads. */
const withoutSlash = ({ method, url }: FastifyRequest): string | undefined =>
  ['GET', 'HEAD'].includes(method) && /^\/v\/[^?]*[^/?]\/(?:\?|$)/.test(url)
    ? url.replace(/\/(?=\?|$)/, '')
    : undefined

/** Whether an address is that of a file, which pages show and search engines may read. */
const isFile = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as { isFile?: true }).isFile === true

/** The language that is asked for, else the one they signed up in, else the browser's, else the venue's. */
const speakingTo = async (
  db: Queries,
  request: FastifyRequest,
  venue: VenueRow,
  subscriber: number,
): Promise<Speaking> => {
  const within = db.within(venue.id)
  const { settings } = await guestSettingsOf(within, venue.id)
  const kept = await languageOfSubscriber(within, venue.id, subscriber)
  const asked = new URL(request.url, 'http://local').searchParams.get('lang') ?? undefined
  const language = chooseLanguage(
    settings.languages,
    settings.language,
    asked,
    kept ?? request.headers['accept-language'],
  )
  return { language, words: wordsIn(language), formats: formatsFor(language, venue) }
}

/** Files of the pages, which their addresses name by content. */
const assets = [guestStyle, framedScript, placeScript] as const

/** A venue's color, worked out; the address says the color, so it never changes. */
const accentPath = '/accent/:color.css'
const accentStyles = remember<string, string>(500)
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }

const isOf = (request: FastifyRequest, pages: readonly { readonly path: string }[]): boolean =>
  pages.some(({ path }) => path === request.routeOptions.url)

const formBytes = 64 * 1024

const damagedLink = (): Refusal => new Refusal(404, wordsIn('en').lost.text)

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // The page's URL is the key to it.
  'referrer-policy': 'no-referrer',
}

const sendPage = (reply: FastifyReply, body: Html): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(textOf(body))

/** No guest types NUL, and no column holds it; a form of a program that does is read without it. */
const withoutNul = (form: string): string => form.replaceAll('%00', '').replaceAll('\0', '')
