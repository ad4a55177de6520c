import { venueCurrency } from '../../../core/money/venue-currency.ts'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Work } from '../../../context.ts'
import type { Gate } from '../../../platform/db/gate.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import { ownPath } from './own-path.ts'
import { type FormFields, readForm } from '../../../platform/http/read-form.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { refusalOf } from '../../../platform/http/answer-error.ts'
import { FormAlreadySent } from '../../../platform/http/form-token.ts'
import { packed, packedOnce } from '../../../platform/http/compression.ts'
import { notForSearch } from '../../../platform/http/not-for-search.ts'
import { type AnswerUnknown, type Served, pageMethods, servedPages } from '../../../platform/http/server.ts'
import { textOf } from '../../../platform/html/html.ts'
import { outlivesShift } from '../../../book/servers/own-parties.ts'
import { tableMode } from '../../../book/rules/floor/mode-reads.ts'
import { type StaffForm, readBy } from '../../../platform/kernel/time/in-words.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { type AccountRole, type StaffRole, mayAct } from '../../../core/staff/roles.ts'
import {
  type SignedIn,
  closeSession,
  keepLast,
  leaveNotice,
  sessionOf,
} from '../../../core/staff/sessions.ts'
import { checkAgain } from '../../../core/staff/sign-in.ts'
import { isWarning } from '../parts/press-message.ts'
import { cookieName, deviceIn, tokenOf } from './cookies.ts'
import { type Shell, shellOf, wholePage } from './layout.ts'
import { type Form, type PageAnswer, formOf } from './page.ts'
import type { Upload } from './read-upload.ts'

/*
 * Turns a row into a page or a form's action. What they all share happens here: same-origin check, session, role, one
 * transaction for a form, the notice for the next page, the frame around the page, strict headers. Pages work without
 * JavaScript; a form ends in a redirect, a mistake in the same page with a sentence.
 */

/** What a page or an action knows about its request. */
export type OfficeRequest = {
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
  readonly form: Form
  /** Whether only a part of the page is requested (a list that refreshes itself). */
  readonly partOnly: boolean
  /** The caller's network address. */
  readonly from: string
  /** What the browser remembers of earlier sign-ins. */
  readonly device: string | undefined
  /** The body of a form with a file, unread; only where the page says `upload`. */
  readonly upload: Upload | undefined
}

/** A staff member of the venue working in the office. */
export type OfficeWork = Work & {
  readonly me: SignedIn
  /** For a page that reads so much that its statements take turns with what the venue writes. */
  readonly gate: Gate
}

type Row = { readonly method: 'GET' | 'POST'; readonly path: `/${string}` }

/** A venue's pages, for a role and those above it. A POST runs in one transaction. */
export type VenuePage = Row & {
  readonly role: StaffRole
  readonly answer: (work: OfficeWork, asked: OfficeRequest) => Promise<PageAnswer>
  /**
   * The page a refused form (400, 402, 409) comes back on, with what was typed and the sentence. Rendered after the
   * form's transaction was rolled back, so that nothing half done is kept; without it the refusal gets its own page.
   */
  readonly again?: (work: OfficeWork, asked: OfficeRequest, refusal: Refusal) => Promise<PageAnswer>
  /** Fetches, before a POST's transaction, what its handler will then find cached, such as DNS answers. */
  readonly before?: (work: OfficeWork) => Promise<void>
  /**
   * The form uploads a file (multipart/form-data), which may take minutes: the handler reads it as it arrives and
   * opens its own transactions, since none may stay open that long.
   */
  readonly upload?: true
  /**
   * The form changes nothing, or takes long (building a list, handing an email to the relay): the handler opens its
   * own transactions, and nobody else at the venue waits for it. A refused form comes back as usual.
   */
  readonly apart?: true
  /** For the rare form that submits a whole text: its limit in bytes. */
  readonly formBytes?: number
  /**
   * The form includes the person's password, or a code, in its field `password`. It is checked before the venue's
   * gate: that takes a while, and nobody else at the venue should wait for it.
   */
  readonly asksPassword?: true
  /** For the rare page that searches everything: how many seconds it may take, instead of the usual limit. */
  readonly answerWithinSeconds?: number
}

/** Pages of the service's own reviewers. They see venues from outside, never their guests. */
export type ReviewerPage = Row & {
  readonly role: 'reviewer'
  readonly answer: (work: ReviewerWork, asked: OfficeRequest) => Promise<PageAnswer>
  /** As on a venue's page. */
  readonly again?: (work: ReviewerWork, asked: OfficeRequest, refusal: Refusal) => Promise<PageAnswer>
}

export type ReviewerWork = Pick<Work, 'now'> & { readonly db: Queries; readonly me: SignedIn }

/** Pages before sign-in. They open their own transactions. */
export type OpenPage = Row & {
  readonly role: 'anyone'
  /** Of those signed in, servers do not see it: they have one page. */
  readonly notForServers?: true
  readonly answer: (context: Context, asked: OfficeRequest, me: SignedIn | undefined) => Promise<PageAnswer>
}

export type OfficePage = VenuePage | ReviewerPage | OpenPage

/** Serves pages under `/office` and `/operator`; returns the paths it serves, and how it answers all others there. */
export const servePages = (
  app: FastifyInstance,
  { context, gate }: { context: Context; gate: Gate },
  pages: readonly OfficePage[],
): { readonly served: Served[]; readonly unknown: AnswerUnknown } => {
  const shell = shellOf()
  void app.register(async (office) => {
    office.removeAllContentTypeParsers()
    office.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytes },
      async (_request: FastifyRequest, text: string) => readForm(text),
    )
    office.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, body: Readable) => {
      if (!takesUpload(request)) throw new Refusal(400, 'This form does not accept files.')
      return { contentType: request.headers['content-type'] ?? '', body } satisfies Upload
    })
    office.setErrorHandler((error, request, reply) => answerMistake(context, shell, error, request, reply))
    office.addHook('onRequest', async (request, reply) => {
      reply.headers(pageHeaders)
      if (!isReading(request)) checkOrigin(request)
    })
    for (const row of pages) servePage(office, context, gate, shell, row)
    for (const { path, type, body, tag } of filesOf(shell)) {
      const send = typeof body === 'string' ? packedOnce(body) : asItIs(body)
      office.route({
        method: pageMethods('GET'),
        url: path,
        handler: async (request, reply) =>
          send(
            request,
            reply
              .headers({ 'cache-control': 'public, max-age=31536000, immutable', etag: `"${tag}"` })
              .type(typeof body === 'string' ? `${type}; charset=utf-8` : type),
          ),
      })
    }
  })
  return {
    served: servedPages([...pages, ...filesOf(shell).map(({ path }) => ({ method: 'GET' as const, path }))]),
    unknown: {
      below: /^\/(?:office|operator)(?:\/|$)/,
      answer: (refusal, request, reply) => answerUnknownPage(context, shell, refusal, request, reply),
    },
  }
}

/** A picture is packed already. */
const asItIs =
  (body: Buffer) =>
  (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.send(body)

const filesOf = ({ files, sheets }: Shell) => [...files, ...Object.values(sheets).flat()]

/** Forms are small; files are uploaded to their own path. */
const formBytes = 256 * 1024

/** The time a request may take to arrive (platform/http/server.ts), plus a little for what comes after. */
const uploadSeconds = 310

const takesUpload = (request: FastifyRequest): boolean =>
  (request.routeOptions.config as { upload?: true }).upload === true

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Chromium also judges where a form is redirected to after its press. */
const policyEndingAt = (origin: string): string =>
  policy.replace("form-action 'self'", `form-action 'self' ${origin}`)

const pageHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
  ...notForSearch,
}

/**
 * An email as it would arrive, in a frame of the office: no scripts, no forms, no origin and so no cookies, and
 * nothing but images from elsewhere.
 */
const mailHeaders = {
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
}

/** A page for guests as it would look: nothing in it runs or can be sent. */
const previewHeaders = {
  ...mailHeaders,
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
}

const servePage = (
  office: FastifyInstance,
  context: Context,
  gate: Gate,
  shell: Shell,
  row: OfficePage,
): void => {
  office.route({
    method: pageMethods(row.method),
    url: row.path,
    ...('formBytes' in row && row.formBytes !== undefined && { bodyLimit: row.formBytes }),
    config: {
      ...('upload' in row && { upload: true, answerWithinSeconds: uploadSeconds }),
      ...('answerWithinSeconds' in row && { answerWithinSeconds: row.answerWithinSeconds }),
    },
    handler: async (request, reply) => {
      const me = await whoIs(context, request)
      const asked = askedOf(request, context.config.publicUrl)
      const answer = await readBy(me?.venue && readingOf(me.venue), () =>
        answerOf(context, gate, row, asked, me),
      )
      if (row.method === 'POST') context.bell.ring()
      if (row.method === 'POST' && me) await keepDone(context, me, answer)
      if (answer.kind === 'go' && answer.notice && me && !isKept(answer))
        await leaveNotice(
          context.db,
          me.sessionId,
          { to: answer.to, sentence: answer.notice, undo: answer.undo },
          context.clock(),
        )
      return send(context, shell, reply, answer, me, request)
    },
  })
}

/** The pages of the evening: what was done on one can be taken back on each. */
const ofEvening: ReadonlySet<string> = new Set(['/office/service', '/office/floor', '/office/grid'])

/** What was done leads to a page of the evening with its undo: it is kept, not left for that page alone. */
const isKept = (answer: PageAnswer & { readonly kind: 'go' }): boolean =>
  answer.undo !== undefined && isOfEvening(answer.to)

const isOfEvening = (to: string): boolean => ofEvening.has(to.split(/[?#]/, 1)[0] as string)

const keepDone = async ({ db, clock }: Context, me: SignedIn, answer: PageAnswer): Promise<void> => {
  const done =
    answer.kind === 'part'
      ? answer.done
      : answer.kind === 'go' && answer.notice && isOfEvening(answer.to) && !isWarning(answer.notice)
        ? { sentence: answer.notice, undo: answer.undo }
        : undefined
  if (done) await keepLast(db, me.sessionId, done, clock())
}

const answerOf = async (
  context: Context,
  gate: Gate,
  row: OfficePage,
  asked: OfficeRequest,
  me: SignedIn | undefined,
): Promise<PageAnswer> => {
  if (row.role === 'anyone') {
    if (row.notForServers && me?.staff.role === 'server') throw notForRole(me.staff.role)
    return row.answer(context, asked, me)
  }
  if (!me) throw new SignInFirst()
  const { db, clock } = context
  if (row.role === 'reviewer') {
    if (me.staff.role !== 'reviewer') throw notForRole(me.staff.role)
    const act = (queries: Queries) => row.answer({ db: queries, now: clock, me }, asked)
    if (row.method === 'GET') return act(db)
    const { again } = row
    return db
      .transaction(act)
      .catch(orAgain(again && ((refusal) => again({ db, now: clock, me }, asked, refusal))))
  }
  const { venue } = me
  if (!venue || !mayAct(me.staff.role, row.role)) throw notForRole(me.staff.role)
  const unit = (queries: Queries) => ({ db: queries.within(venue.id), venue, now: clock, me, gate })
  const act = (queries: Queries) => row.answer(unit(queries), asked)
  if (row.method === 'GET' || row.upload) return act(db)
  const { again } = row
  const take = async () => {
    if (row.asksPassword) {
      const given = asked.form.text('password')
      await checkAgain(context, me, { password: given, code: given })
    }
    await row.before?.(unit(db))
    return row.apart ? act(db) : gate(venue.id, () => db.transaction(act))
  }
  return take().catch(orAgain(again && ((refusal) => again(unit(db), askedAgain(asked, refusal), refusal))))
}

/** A refused form comes back on its page, if it has one. */
const orAgain =
  (again: ((refusal: Refusal) => Promise<PageAnswer>) | undefined) =>
  async (error: unknown): Promise<PageAnswer> => {
    const isOfForm = error instanceof Refusal && [400, 402, 409].includes(error.status)
    if (!again || !isOfForm) throw error
    const answer = await again(error)
    return answer.kind === 'page' ? { ...answer, status: error.status } : answer
  }

/** What was typed, for the page it comes back on: a form whose token is used up gets a new one there. */
const askedAgain = (asked: OfficeRequest, refusal: Refusal): OfficeRequest => {
  if (!(refusal instanceof FormAlreadySent)) return asked
  const { form } = asked
  return { ...asked, form: { ...form, names: () => form.names().filter((name) => name !== 'token') } }
}

const send = async (
  context: Context,
  shell: Shell,
  reply: FastifyReply,
  answer: PageAnswer,
  me: SignedIn | undefined,
  request: FastifyRequest,
): Promise<FastifyReply> => {
  const path = request.url.split('?', 1)[0] as string
  if ('cookies' in answer && answer.cookies !== undefined) reply.header('set-cookie', answer.cookies)
  switch (answer.kind) {
    case 'page':
      if (answer.formsEndAt !== undefined)
        reply.header('content-security-policy', policyEndingAt(answer.formsEndAt))
      return packed(
        request,
        reply.code(answer.status ?? 200).type('text/html; charset=utf-8'),
        textOf(
          wholePage(shell, {
            ...answer,
            path,
            me,
            tables: await tablesDecide(context, me),
            practice: context.config.practice,
            held: context.hold.isOn(),
          }),
        ),
      )
    case 'part':
      return packed(request, reply.type('text/html; charset=utf-8'), textOf(answer.body))
    case 'mail':
      return packed(request, reply.headers(mailHeaders).type('text/html; charset=utf-8'), answer.document)
    case 'preview':
      return packed(request, reply.headers(previewHeaders).type('text/html; charset=utf-8'), answer.document)
    case 'nothing':
      return reply.code(204).send()
    case 'go':
      return reply.redirect(answer.to, 303)
    case 'file':
      return (
        reply
          .headers(
            answer.name === undefined
              ? {}
              : { 'content-disposition': `attachment; filename="${answer.name}"` },
          )
          .type(answer.type)
          // A file is generated as it is sent, so a HEAD request must not generate one.
          .send(request.method === 'HEAD' ? undefined : answer.body)
      )
    default:
      return answer satisfies never
  }
}

/** Whether the pages of tables are among the places. */
const tablesDecide = async ({ db }: Context, me: SignedIn | undefined): Promise<boolean> =>
  me?.venue !== undefined && (await tableMode(db.within(me.venue.id), me.venue.id)) === 'on'

/** Not signed in, or no longer: on to the sign-in page, and back afterwards. */
class SignInFirst extends Error {}

const notForRole = (role: AccountRole): Refusal =>
  new Refusal(403, `Your role (${role}) does not have access to this page.`)

const answerMistake = async (
  context: Context,
  shell: Shell,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const isPage = !(request.headers.authorization ?? '').startsWith('Bearer ')
  if (error instanceof SignInFirst && isPage) {
    const back = isReading(request) ? `?next=${encodeURIComponent(request.url)}` : ''
    // A list that refreshes itself must not be replaced by the sign-in page.
    if (request.headers['hx-request'] === 'true')
      return reply.header('hx-redirect', `/office/sign-in${back}`).send('')
    return reply.redirect(`/office/sign-in${back}`, 303)
  }
  const refusal =
    error instanceof SignInFirst
      ? new Refusal(401, 'Sign in first.')
      : codeOf(error) === 'FST_ERR_CTP_BODY_TOO_LARGE'
        ? new Refusal(400, 'What you entered is too long for this form, so nothing was saved.')
        : refusalOf(error, request, context.log)
  return sendMistake(context, shell, refusal, request, reply)
}

/** A path without a page: a person gets a page with a link onward, as for any other mistake. */
const answerUnknownPage = (
  context: Context,
  shell: Shell,
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const sentence =
    refusal.status === 405
      ? 'This page cannot be opened directly: it is the result of a form.'
      : 'There is no page here. The link may be out of date or mistyped.'
  const { status, headers } = refusal
  return sendMistake(
    context,
    shell,
    new Refusal(status, sentence, { headers: { ...headers, ...pageHeaders } }),
    request,
    reply,
    status === 405 ? undefined : 'Page not found',
  )
}

const sendMistake = async (
  context: Context,
  shell: Shell,
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
  title = refusal.status === 403 ? 'No access' : 'Something went wrong',
): Promise<FastifyReply> => {
  const me = await whoIs(context, request).catch(() => undefined)
  reply.code(refusal.status).headers({ ...refusal.headers })
  return reply.type('text/html; charset=utf-8').send(
    textOf(
      wholePage(shell, {
        title,
        body: shell.mistake(title, refusal.message, back(request)),
        path: request.url,
        me,
        tables: await tablesDecide(context, me),
        practice: context.config.practice,
        held: context.hold.isOn(),
      }),
    ),
  )
}

/** The page a form came from, if it was in this office. */
const back = (request: FastifyRequest): string => {
  const from = request.headers.referer
  if (from === undefined || !URL.canParse(from)) return '/office'
  const { pathname, search, host } = new URL(from)
  return (host === request.headers.host ? ownPath(pathname + search) : undefined) ?? '/office'
}

/** A session from the cookie; for scripts, from Authorization. An API key never signs anybody in here. */
const whoIs = async (
  { db, clock, config }: Context,
  request: FastifyRequest,
): Promise<SignedIn | undefined> => {
  const token = tokenOf(request.headers, cookieName(config.publicUrl))
  const opensPage = request.method === 'GET' && request.headers['hx-request'] !== 'true'
  const opens = opensPage ? request.url.split('?', 1)[0] : undefined
  if (token === undefined) return undefined
  const me = await sessionOf(db, token, clock(), {
    ...(opens !== undefined && { opens, showsLast: isOfEvening(opens) }),
  })
  if (me?.staff.role !== 'server' || !me.venue) return me
  // A phone that goes home with somebody does not stay signed in.
  const asking = { db: db.within(me.venue.id), venue: me.venue, now: clock }
  if (!(await outlivesShift(asking, me.staff.id, me.openedAt))) return me
  await closeSession(db, me.sessionId)
  return undefined
}

/**
 * A form must come from this site. Browsers say so in Sec-Fetch-Site; one that does not must send our Origin. A
 * script with a bearer session has neither and needs neither: no other site's page can send that header.
 */
const checkOrigin = ({ headers }: FastifyRequest): void => {
  if (headers.authorization?.startsWith('Bearer ')) return
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const fromHere = origin !== undefined && URL.canParse(origin) && new URL(origin).host === headers.host
  const own =
    site === undefined
      ? fromHere
      : (site === 'same-origin' || site === 'none') && (origin === undefined || fromHere)
  if (!own) throw new Refusal(403, 'This form was not sent from this office, so nothing was done.')
}

const askedOf = (request: FastifyRequest, publicUrl: string): OfficeRequest => {
  const question = request.url.indexOf('?')
  return {
    query: new URLSearchParams(question === -1 ? '' : request.url.slice(question + 1)),
    params: request.params as Record<string, string>,
    form: formOf(request.body instanceof Map ? (request.body as FormFields) : new Map()),
    partOnly: request.headers['hx-request'] === 'true',
    from: request.ip,
    device: deviceIn(request.headers, publicUrl),
    upload: takesUpload(request) ? (request.body as Upload | undefined) : undefined,
  }
}

/** How the staff of a venue read, prices in its currency. */
const readingOf = ({ country, clockHours, currency = null }: StaffForm): StaffForm => ({
  ...{ country, clockHours },
  currency: venueCurrency({ country, currency }),
})
