import { Worker } from 'node:worker_threads'
import type { BodyFormat } from '@venue-data/contract/records/campaign.ts'
import { GateTimeout } from '../../../platform/db/gate.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { cleanBody } from './clean.ts'
import { type MailForms, compileForms, templateOf } from './compile-mail.ts'
import type { MailContent, MailTemplate, MailVenue } from './mail-template.ts'
import { type MailView, type ReadMail, readMail } from './mail-view.ts'

/*
 * Work on a long body, done aside: one that is just within its bounds takes seconds to clean and render, and nobody
 * else's request may wait for that. One thread serves the process, one body after the other, and venues take turns: one
 * with many long bodies delays another by a single one. The first long body starts the thread, and it keeps nothing from
 * one body to the next. A short body is done at once, which costs less than handing it over.
 */

/** What can be done aside: what it is asked, and what it answers. */
export const asideJobs = {
  clean: ({ format, html }: { readonly format: BodyFormat; readonly html: string }): string =>
    cleanBody(format, html),
  compile: ({ content, venue }: Written): MailForms => compileForms(content, venue),
  read: ({ content, venue }: Written): ReadMail => readMail(content, venue),
}
type Written = { readonly content: MailContent; readonly venue: MailVenue }

/** As `cleanBody`. Throws GateTimeout, which is a 503, when too many long bodies wait. */
export const cleanAside = (venue: VenueId, format: BodyFormat, html: string): Promise<string> =>
  aside(venue, html.length, 'clean', { format, html })

/** As `compileMail`. Throws as `cleanAside` does. */
export const compileAside = async (
  venue: VenueId,
  content: MailContent,
  mailVenue: MailVenue,
): Promise<MailTemplate> =>
  templateOf(await aside(venue, lengthOf(content), 'compile', { content, venue: mailVenue }))

/** A mail compiled for a venue, and as the checklist sees it. Throws as `cleanAside` does. */
export const readAside = async (
  venue: VenueId,
  content: MailContent,
  mailVenue: MailVenue,
): Promise<{ readonly mail: MailTemplate; readonly view: MailView }> => {
  const { forms, view } = await aside(venue, lengthOf(content), 'read', { content, venue: mailVenue })
  return { mail: templateOf(forms), view }
}

const lengthOf = ({ bodyHtml, bodyText }: MailContent): number => bodyHtml.length + bodyText.length

/** Characters that take a few milliseconds. */
const shortCharacters = 20_000
/** Long bodies that wait, at most: of one venue, and of all. */
const mostOfVenue = 10
const mostWaiting = 50

type Name = keyof typeof asideJobs
type Asked<N extends Name> = Parameters<(typeof asideJobs)[N]>[0]
type Answer<N extends Name> = ReturnType<(typeof asideJobs)[N]>

/** What goes to the thread, and what comes back; an error travels as itself. */
export type Question = { readonly name: Name; readonly asked: never }
export type Answered = { readonly answer?: unknown; readonly error?: unknown }

type Waiting = Question & {
  readonly answer: (answer: never) => void
  readonly fail: (error: unknown) => void
}

/** What waits, by venue; the venue whose turn is next comes first. */
const queues = new Map<VenueId, Waiting[]>()
let underWay: Waiting | undefined

/** The thread of this process; a thread that broke is forgotten, and the next long body starts another. */
let thread: Worker | undefined

const aside = async <N extends Name>(
  venue: VenueId,
  length: number,
  name: N,
  asked: Asked<N>,
): Promise<Answer<N>> => {
  if (length <= shortCharacters) return asideJobs[name](asked as never) as Answer<N>
  const queue = queues.get(venue) ?? []
  const waiting = queues.values().reduce((sum, { length: some }) => sum + some, 0)
  if (queue.length >= mostOfVenue || waiting >= mostWaiting) throw new GateTimeout()
  return new Promise<Answer<N>>((answer, fail) => {
    queue.push({ name, asked: asked as never, answer, fail })
    queues.set(venue, queue)
    goOn()
  })
}

/** Gives the thread the first body of the venue whose turn it is, which goes to the end of the line. */
const goOn = (): void => {
  if (underWay) return
  const [turn] = queues
  // With nothing to do it does not keep the process alive.
  if (!turn) return thread?.unref()
  const [venue, queue] = turn
  underWay = queue.shift()
  queues.delete(venue)
  if (queue.length > 0) queues.set(venue, queue)
  thread ??= startThread()
  thread.ref()
  thread.postMessage({ name: underWay?.name, asked: underWay?.asked })
}

const startThread = (): Worker => {
  const worker = new Worker(new URL('./long-bodies-thread.ts', import.meta.url))
  const ended = (end: (one: Waiting) => void): void => {
    const one = underWay
    underWay = undefined
    if (one) end(one)
    goOn()
  }
  worker.on('message', ({ answer, error }: Answered) =>
    ended((one) => (error === undefined ? one.answer(answer as never) : one.fail(error))),
  )
  const broken = (error: unknown): void => {
    if (thread !== worker) return
    thread = undefined
    ended((one) => one.fail(error))
  }
  worker.on('error', broken)
  worker.on('exit', (code) => broken(new Error(`the thread for long bodies ended with code ${code}`)))
  return worker
}
