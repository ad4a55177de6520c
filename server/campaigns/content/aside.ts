import { Worker } from 'node:worker_threads'
import type { BodyFormat } from '@venue-data/contract/campaign.ts'
import { GateTimeout } from '../../db/gate.ts'
import { cleanBody } from './clean.ts'
import { type MailForms, compileForms, templateOf } from './compile-mail.ts'
import type { MailContent, MailTemplate, MailVenue } from './mail-template.ts'
import { type MailView, type ReadMail, readMail } from './mail-view.ts'

/*
 * Work on a long body, done aside: one that is just within its bounds takes seconds to clean and render, and nobody
 * else's request may wait for that. One thread serves the process, one body after the other; the first long body starts
 * it, and it keeps nothing from one body to the next. A short body is done at once, which costs less than handing it over.
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
export const cleanAside = (format: BodyFormat, html: string): Promise<string> =>
  aside(html.length, 'clean', { format, html })

/** As `compileMail`. Throws as `cleanAside` does. */
export const compileAside = async (content: MailContent, venue: MailVenue): Promise<MailTemplate> =>
  templateOf(await aside(lengthOf(content), 'compile', { content, venue }))

/** A mail compiled for a venue, and as the checklist sees it. Throws as `cleanAside` does. */
export const readAside = async (
  content: MailContent,
  venue: MailVenue,
): Promise<{ readonly mail: MailTemplate; readonly view: MailView }> => {
  const { forms, view } = await aside(lengthOf(content), 'read', { content, venue })
  return { mail: templateOf(forms), view }
}

const lengthOf = ({ bodyHtml, bodyText }: MailContent): number => bodyHtml.length + bodyText.length

/** Characters that take a few milliseconds. */
const shortCharacters = 20_000
/** Long bodies that wait or are worked on, at most. */
const mostAside = 20

type Name = keyof typeof asideJobs
type Asked<N extends Name> = Parameters<(typeof asideJobs)[N]>[0]
type Answer<N extends Name> = ReturnType<(typeof asideJobs)[N]>

/** What goes to the thread, and what comes back; an error travels as itself. */
export type Question = { readonly id: number; readonly name: Name; readonly asked: never }
export type Answered = { readonly id: number; readonly answer?: unknown; readonly error?: unknown }

type Waiting = { readonly answer: (answer: never) => void; readonly fail: (error: unknown) => void }
type Thread = { readonly worker: Worker; readonly waiting: Map<number, Waiting>; asked: number }

/** The thread of this process; a thread that broke is forgotten, and the next long body starts another. */
let thread: Thread | undefined

const aside = async <N extends Name>(length: number, name: N, asked: Asked<N>): Promise<Answer<N>> => {
  if (length <= shortCharacters) return asideJobs[name](asked as never) as Answer<N>
  const at = (thread ??= startThread())
  if (at.waiting.size >= mostAside) throw new GateTimeout()
  const id = at.asked++
  return new Promise<Answer<N>>((answer, fail) => {
    at.waiting.set(id, { answer, fail })
    at.worker.ref()
    at.worker.postMessage({ id, name, asked })
  })
}

const startThread = (): Thread => {
  const worker = new Worker(new URL('./aside-thread.ts', import.meta.url))
  const started: Thread = { worker, waiting: new Map(), asked: 0 }
  worker.on('message', ({ id, answer, error }: Answered) => {
    const one = started.waiting.get(id)
    started.waiting.delete(id)
    // With nothing to do it does not keep the process alive.
    if (started.waiting.size === 0) worker.unref()
    if (error === undefined) one?.answer(answer as never)
    else one?.fail(error)
  })
  const broken = (error: unknown): void => {
    if (thread === started) thread = undefined
    for (const one of started.waiting.values()) one.fail(error)
    started.waiting.clear()
  }
  worker.on('error', broken)
  worker.on('exit', (code) => broken(new Error(`the thread for long bodies ended with code ${code}`)))
  return started
}
