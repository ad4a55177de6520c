import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { changeGuestSettings } from '../book/rules/change-guest-settings.ts'
import type { GuestSettings } from '../core/venue/guest-settings-rules.ts'
import { answerTo } from '../doors/guest-pages/frame/trap.ts'
import { readFormValue, writeFormValue } from '../doors/guest-pages/frame/form-value.ts'
import { venueBySlug } from '../core/venue/venues.ts'
import { actAt } from './act.ts'
import type { TestService, TestVenue } from './service.ts'

/** A page as a guest's browser gets it. */
export type GuestPageAnswer = { readonly status: number; readonly headers: Headers; readonly text: string }

type Asked = {
  /** Sent as a form by POST. */
  readonly form?: Readonly<Record<string, string | readonly string[]>>
  readonly headers?: Readonly<Record<string, string>>
  /** The form goes as it is, with the moment at which it was shown. */
  readonly asShown?: boolean
}

/** Opens a page, or sends a form to it. Redirects are not followed. */
export const guestAt = async (
  { url, context }: Pick<TestService, 'url' | 'context'>,
  path: string,
  { form, headers = {}, asShown = false }: Asked = {},
): Promise<GuestPageAnswer> => {
  const body = new URLSearchParams()
  // As somebody sends it who opened the page a minute ago and answers what they are asked, unless the test says otherwise.
  const aged = form && !asShown ? await agedForm(context, path, form) : form
  for (const [name, value] of Object.entries(aged ?? {}))
    for (const one of typeof value === 'string' ? [value] : value) body.append(name, one)
  // Not by fetch, which says of itself that it is a script.
  const answer = await request(url + path, {
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      ...{ 'accept-language': 'en', 'user-agent': 'Mozilla/5.0', 'sec-fetch-mode': 'navigate' },
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form !== undefined && { body: body.toString() }),
    reset: true,
  })
  const received = new Headers(
    Object.entries(answer.headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  )
  return { status: answer.statusCode, headers: received, text: await answer.body.text() }
}

/** A form with its value as of a minute ago, and the answer to its question. `token`: a form's value, or the UUID in one. */
const agedForm = async (
  { secrets, clock, db }: TestService['context'],
  path: string,
  form: NonNullable<Asked['form']>,
): Promise<NonNullable<Asked['form']>> => {
  const [, slug] = /^\/v\/([^/?]+)/.exec(path) ?? []
  const venue = slug === undefined ? undefined : await venueBySlug(db, slug)
  if (!venue) return form
  const sent = String(form['token'] ?? randomUUID())
  const token = readFormValue(secrets, venue.id, sent)?.token ?? sent
  const shown = clock().subtract({ minutes: 1 })
  return {
    sum: answerTo(secrets, { token }),
    ...form,
    token: writeFormValue(secrets, venue.id, { shown, token }),
  }
}

/** Changes a venue's settings of its guest pages, as staff do. */
export const setGuestPages = async (
  service: TestService,
  venue: TestVenue,
  changes: Partial<GuestSettings>,
): Promise<void> => {
  await actAt(service, venue, (work) => changeGuestSettings(work, { kind: 'service' }, { changes }))
}

/** The value of a hidden field on a page. */
export const hiddenOn = (text: string, name: string): string => {
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(text) ?? []
  if (value === undefined) throw new Error(`no hidden ${name}`)
  return value
}

/** Several of them, as the form sends them. */
export const hiddenFieldsOn = (text: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, hiddenOn(text, name)]))

/** An address without its origin; empty where there is none. */
export const pathOf = (url: string | null | undefined): string => (url ?? '').replace(/^https?:\/\/[^/]+/, '')

/** The lines of a page's list of facts, each with its label. */
export const factsOn = (text: string): string[][] =>
  Array.from(text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd>(?:<b>)?([^<]*)/g), ([, ...line]) => line)

/** Guests, date and time, at the top of a page. */
export const slipOn = (text: string): string[] =>
  Array.from(text.matchAll(/class="cell"[^>]*><small>[^<]*<\/small><b>([^<]*)/g), ([, value = '']) => value)

type Typed = Readonly<Record<string, string>>

/** Books a table as a guest does, from the time over the hold to the details; the path of the private link. */
export const bookByPage = async (
  service: Pick<TestService, 'url' | 'context'>,
  { slug }: Pick<TestVenue, 'slug'>,
  { slot, size = '2', ...typed }: { readonly slot: string; readonly size?: string } & Typed,
  headers: Typed = {},
): Promise<string> => {
  const path = `/v/${slug}/book`
  const toDetails = await guestAt(service, path, { form: { size, slot }, headers })
  const { text } = await guestAt(service, toDetails.headers.get('location') ?? '', { headers })
  const hidden = hiddenFieldsOn(text, ['token', 'size', 'day', 'time', 'hold'])
  return linkIn(await guestAt(service, path, { form: { ...hidden, ...typed }, headers }))
}

/** Sends the form of a door that makes its record at once; the path of the private link. */
export const sendByPage = async (
  service: Pick<TestService, 'url' | 'context'>,
  path: string,
  typed: Typed,
  headers: Typed = {},
): Promise<string> =>
  linkIn(await guestAt(service, path, { form: { token: randomUUID(), ...typed }, headers }))

const linkIn = ({ headers, text }: GuestPageAnswer): string => {
  const to = headers.get('location')
  if (to === null) throw new Error(`no link: ${text}`)
  return to.replace(/\?.*/, '')
}
