import { limits } from '@venue-data/contract/limits.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Work } from '../../../context.ts'
import type { Gate } from '../../../platform/db/gate.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { chooseLanguage } from '../../../messages/guest-words/choose-language.ts'
import { formatsFor } from '../../../messages/guest-words/formats.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { html, textOf } from '../../../platform/html/html.ts'
import { refusalOf } from '../../../platform/http/answer-error.ts'
import { packed } from '../../../platform/http/compression.ts'
import type { FormFields } from '../../../platform/http/read-form.ts'
import { pageMethods } from '../../../platform/http/server.ts'
import { type GuestLanguage, guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import {
  type PrivateLink,
  type PrivatePurpose,
  makePrivateToken,
  readPrivateToken,
} from '../../../mail/link-token.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { countGuestForm } from '../../../core/venue/guest-window.ts'
import type { GuestDoor } from '../../../core/venue/guest-settings-rules.ts'
import { venueBySlug, venueOfId } from '../../../core/venue/venues.ts'
import { framedText, framedWord, readFramed } from './framed.ts'
import { countRefused, countShown } from './count-visits.ts'
import { siteAround, siteNotes } from './note-site.ts'
import { originOf, originWord, readOrigin, writeOrigin } from './origin.ts'
import type { GuestAnswer, GuestAnswerLater, Visit } from './visit.ts'
import { namedNetworks } from './who.ts'
import { type Look, plainFrame, venueFrame } from './whole-page.ts'

/*
 * Turns a row into a page for guests. What they share happens here: which venue, whether the door is on, the language,
 * one transaction for a form, the frame around the page, strict headers. There is no cookie and no session: what a form
 * must know of the page before it is in the form. A GET changes nothing.
 */

type Row = { readonly method: 'GET' | 'POST'; readonly path: string }

export type DoorPage = Row & {
  /** Which door must be on; none: the page is always there. */
  readonly door?: GuestDoor
  readonly answer: (work: Work, visit: Visit) => Promise<GuestAnswer | GuestAnswerLater>
  /**
   * What a form that went through before is answered with, by its token; undefined for a form that did not. Asked first:
   * who presses twice is neither counted again nor asked anything.
   */
  readonly sentBefore?: (work: Work, visit: Visit) => Promise<GuestAnswer | GuestAnswerLater | undefined>
  /** What a refused form comes back as; rendered after its transaction was rolled back. */
  readonly again?: (work: Work, visit: Visit, refusal: Refusal) => Promise<GuestAnswer>
}

export type LinkPage = Row & {
  /** What its link is for. */
  readonly purpose: PrivatePurpose
  readonly answer: (work: Work, visit: Visit, link: PrivateLink) => Promise<GuestAnswer | GuestAnswerLater>
  /** The language kept with the record the link leads to, if any. */
  readonly languageOf?: (work: Work, link: PrivateLink) => Promise<GuestLanguage | null>
  /** As of a door. */
  readonly again?: (work: Work, visit: Visit, refusal: Refusal, link: PrivateLink) => Promise<GuestAnswer>
}

type Parts = { readonly context: Context; readonly gate: Gate; readonly look: Look }

/** `/v/{slug}` and what is below it. */
export const serveDoorPages = (app: FastifyInstance, parts: Parts, pages: readonly DoorPage[]): void => {
  const noteSite = siteNotes(parts.context)
  for (const page of pages)
    serveRow(app, parts, page, async (db, request) => {
      const { slug = '' } = request.params as { slug?: string }
      const venue = await venueBySlug(db, slug)
      if (!venue) throw nothingHere()
      const kept = await guestSettingsOf(db, venue.id)
      const { settings } = kept
      // A venue none of whose doors is on has no pages.
      const isOn = page.door === undefined ? settings.doors.length > 0 : settings.doors.includes(page.door)
      if (!isOn) throw nothingHere()
      const visit = visitOf(parts.context, request, venue as Visit['venue'], kept, null)
      await noteSite(db, request, visit)
      const { again, sentBefore } = page
      return {
        visit,
        act: async (queries: Queries) =>
          arrived(page, visit, await page.answer(workOf(parts.context, queries, visit), visit)),
        ...(sentBefore && { sentBefore: () => sentBefore(workOf(parts.context, db, visit), visit) }),
        ...(again && {
          again: (refusal: Refusal) => again(workOf(parts.context, db, visit), visit, refusal),
        }),
      }
    })
}

/** The first page of a door that somebody sees counts as opened, whatever else is on it. */
const arrived = <Answer extends GuestAnswer | GuestAnswerLater>(
  { method, door }: DoorPage,
  { origin }: Visit,
  answer: Answer,
): Answer => {
  if (method !== 'GET' || door === undefined || origin.door === door) return answer
  const { steps = [], ...counts } = answer.counts ?? {}
  return { ...answer, counts: { ...counts, door, steps: ['opened', ...steps] } }
}

/** Pages behind private links; they work while the venue's doors are shut. */
export const serveLinkPages = (app: FastifyInstance, parts: Parts, pages: readonly LinkPage[]): void => {
  for (const page of pages)
    serveRow(app, parts, page, async (db, request) => {
      const { token = '' } = request.params as { token?: string }
      const link = readPrivateToken(parts.context.secrets, page.purpose, token)
      const venue = link && (await venueOfId(db, link.venue))
      if (!link || !venue) throw nothingHere()
      const settings = await guestSettingsOf(db, venue.id)
      const work = workOf(parts.context, db, { venue })
      const kept = page.languageOf ? await page.languageOf(work, link) : null
      const visit = visitOf(parts.context, request, venue, settings, kept)
      return {
        visit,
        act: (queries: Queries) => page.answer(workOf(parts.context, queries, visit), visit, link),
        ...(page.again && {
          again: (refusal: Refusal) => page.again?.(work, visit, refusal, link) as Promise<GuestAnswer>,
        }),
      }
    })
}

type Entered = {
  readonly visit: Visit
  readonly act: (db: Queries) => Promise<GuestAnswer | GuestAnswerLater>
  readonly sentBefore?: () => Promise<GuestAnswer | GuestAnswerLater | undefined>
  readonly again?: (refusal: Refusal) => Promise<GuestAnswer>
}

const serveRow = (
  app: FastifyInstance,
  { context, gate, look }: Parts,
  row: Row,
  enter: (db: Queries, request: FastifyRequest) => Promise<Entered>,
): void => {
  app.route({
    method: pageMethods(row.method),
    url: row.path,
    handler: async (request, reply) => {
      const { visit, act, sentBefore, again } = await enter(context.db, request)
      reply.headers(isDoor(row.path) ? doorHeaders(visit.settings.frameSites) : linkHeaders)
      const judged = async (): Promise<GuestAnswer | GuestAnswerLater> => {
        if (!(await countGuestForm(context.db, visit.venue.id, namedNetworks(visit), visit.now)))
          throw new Refusal(429, visit.words.trouble.often, { headers: retryLater })
        return gate(visit.venue.id, () => context.db.transaction(act)).catch((error: unknown) => {
          if (error instanceof Refusal) countRefused(context, request, visit, error)
          return orAgain(again)(error)
        })
      }
      try {
        const before = row.method === 'GET' ? undefined : await sentBefore?.()
        const first = before ?? (row.method === 'GET' ? await act(context.db) : await judged())
        const answer = 'after' in first ? await first.after(context) : first
        // Who presses twice is counted once.
        if (!before) countShown(context, request, visit, { ...first, ...answer })
        if (answer.refused) countRefused(context, request, visit, answer.refused)
        if (row.method === 'POST') context.bell.ring()
        return await sent(request, reply, look, visit, answer)
      } catch (error) {
        const refusal = refusalOf(error, request, context.log)
        const { words } = visit
        const [title, text] =
          refusal.status === 404
            ? [words.gone.title, words.gone.text]
            : [words.trouble.title, refusal.message]
        // Of a form that was sent, the answer takes the focus; a page that is only opened takes it from nobody.
        const focus = row.method === 'POST' && html`tabindex="-1" autofocus`
        const body = html`<div class="page"><div class="card"><div class="stack">
          <h1 ${focus}>${title}</h1><p role="alert">${text}</p>
        </div></div></div>`
        reply.code(refusal.status).headers({ ...refusal.headers })
        return sent(request, reply, look, visit, { title, body, look: 'narrow' })
      }
    },
  })
}

const retryLater = { 'retry-after': String(limits.guestFormsWindowMinutes * 60) }

/** A refused form comes back on its page, if it has one. */
const orAgain =
  (again: Entered['again']) =>
  async (error: unknown): Promise<GuestAnswer> => {
    if (!again || !(error instanceof Refusal) || ![400, 409].includes(error.status)) throw error
    return again(error)
  }

const sent = async (
  request: FastifyRequest,
  reply: FastifyReply,
  look: Look,
  visit: Visit,
  answer: GuestAnswer,
): Promise<FastifyReply> => {
  if ('to' in answer) return reply.redirect(answer.to, 303)
  if ('file' in answer) {
    return reply
      .header('content-disposition', `attachment; filename="${answer.name}"`)
      .type(answer.type)
      .send(answer.file)
  }
  if (answer.status !== undefined) reply.code(answer.status)
  if (answer.refresh !== undefined) reply.header('refresh', String(answer.refresh))
  if (answer.leadsOut === true) {
    const policies = String(reply.getHeader('content-security-policy'))
    // Browsers judge where a form is led on to as they judge where it is sent.
    const elsewhere = ["form-action 'self' https:", look.payments].filter(Boolean).join(' ')
    reply.header('content-security-policy', policies.replace("form-action 'self'", elsewhere))
  }
  if (visit.isFound && reply.statusCode === 200) reply.removeHeader('x-robots-tag')
  return packed(request, reply.type('text/html; charset=utf-8'), textOf(venueFrame(look, visit, answer)))
}

/** What an unknown address or a door that is off shows, in the browser's language: nobody learns which of the two it is. */
export const nothingHerePage = (look: Look, preferred: string | undefined): string => {
  const language = chooseLanguage(guestLanguages, 'en', undefined, preferred)
  const { gone } = wordsIn(language)
  return textOf(plainFrame(look, gone.title, html`<h1>${gone.title}</h1><p>${gone.text}</p>`, language))
}

export const nothingHere = (): Refusal => new Refusal(404, wordsIn('en').gone.text)

const workOf = ({ clock }: Context, db: Queries, { venue }: Pick<Visit, 'venue'>): Work => ({
  db: db.within(venue.id),
  venue,
  now: clock,
})

const visitOf = (
  { clock, config, secrets }: Context,
  request: FastifyRequest,
  venue: Visit['venue'],
  { settings, logo }: Pick<Visit, 'settings' | 'logo'>,
  kept: GuestLanguage | null,
): Visit => {
  const { pathname, searchParams } = new URL(request.url, 'http://local')
  const asked = searchParams.get('lang') ?? undefined
  const preferred = kept ?? request.headers['accept-language']
  const language = chooseLanguage(settings.languages, settings.language, asked, preferred)
  const framed = isDoor(pathname)
    ? readFramed(searchParams.get(framedWord) ?? (isLoadedInFrame(request) ? '' : null))
    : null
  const now = clock()
  const form: FormFields = request.body instanceof Map ? (request.body as FormFields) : new Map()
  const came = form.get(originWord)?.[0] ?? searchParams.get(originWord)
  const origin = readOrigin(secrets, venue.id, came ?? '', now) ?? originOf(request, siteAround(request))
  const handedOn = (path: string): string =>
    new URLSearchParams({
      ...(asked === language && { lang: language }),
      ...(framed && isDoor(path) && { [framedWord]: framedText(framed) }),
    }).toString()
  return {
    venue,
    settings,
    logo,
    language,
    words: wordsIn(language),
    formats: formatsFor(language, venue),
    now,
    path: pathname,
    query: searchParams,
    form,
    ring: secrets,
    from: request.ip,
    isFound: isDoor(pathname) && settings.found && !config.practice,
    framed,
    origin,
    came: (door) => writeOrigin(secrets, venue.id, { ...origin, door }, now),
    link: (path) => [path, handedOn(path)].filter(Boolean).join(path.includes('?') ? '&' : '?'),
    linkTo: (purpose, record, issue) =>
      `/${linkLetters[purpose]}/${makePrivateToken(secrets, purpose, { venue: venue.id, record, issue })}`,
    publicUrl: config.publicUrl,
  }
}

/** In a frame that the site made without our script, if the browser says so. */
const isLoadedInFrame = ({ headers }: FastifyRequest): boolean => headers['sec-fetch-dest'] === 'iframe'

/** Whether a path is that of a venue's page or one of its doors. */
const isDoor = (path: string): boolean => path.startsWith('/v/')

/** Where the pages of each private link are. */
const linkLetters: Readonly<Record<PrivatePurpose, string>> = {
  confirm: 'c',
  booking: 'r',
  place: 'w',
  proof: 'b',
  order: 'o',
  pay: 'pay',
}

const policy = (ancestors: string): string =>
  `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`

const doorHeaders = (sites: readonly string[]): Record<string, string> => ({
  'content-security-policy': policy(sites.length === 0 ? "'none'" : sites.join(' ')),
  'referrer-policy': 'strict-origin-when-cross-origin',
})

/** The page's URL is the key to it. */
const linkHeaders = {
  'content-security-policy': policy("'none'"),
  'referrer-policy': 'no-referrer',
}
