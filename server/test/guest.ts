import { changeGuestSettings } from '../venue/guest-settings.ts'
import type { GuestSettings } from '../venue/guest-settings-rules.ts'
import { answerTo } from '../guest-pages/frame/trap.ts'
import { writeIssue } from '../guest-pages/frame/issue-moment.ts'
import type { TestService, TestVenue } from './service.ts'

/** A page as a guest's browser gets it. */
export type GuestPageAnswer = { readonly status: number; readonly headers: Headers; readonly text: string }

type Asked = {
  /** Sent as a form by POST. */
  readonly form?: Readonly<Record<string, string | readonly string[]>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Opens a page, or sends a form to it. Redirects are not followed. */
export const guestAt = async (
  { url, context }: Pick<TestService, 'url' | 'context'>,
  path: string,
  { form, headers = {} }: Asked = {},
): Promise<GuestPageAnswer> => {
  const body = new URLSearchParams()
  // As somebody sends it who opened the page a minute ago and answers what they are asked, unless the test says otherwise.
  if (form && !('at' in form)) {
    const issue = writeIssue(context.secrets, context.clock().subtract({ minutes: 1 }))
    body.set('at', issue)
    body.set('sum', answerTo(issue))
  }
  for (const [name, value] of Object.entries(form ?? {}))
    for (const one of typeof value === 'string' ? [value] : value) body.append(name, one)
  const answer = await fetch(url + path, {
    redirect: 'manual',
    headers: { 'accept-language': 'en', ...headers },
    ...(form !== undefined && { method: 'POST', body }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Changes a venue's settings of its guest pages, as staff do. */
export const setGuestPages = async (
  { context }: TestService,
  venue: TestVenue,
  changes: Partial<GuestSettings>,
): Promise<void> => {
  const { db, clock } = context
  await db.transaction((queries) =>
    changeGuestSettings(
      { db: queries.within(venue.id), venue: venue as never, now: clock },
      { kind: 'service' },
      { changes },
    ),
  )
}

/** The value of a hidden field on a page. */
export const hiddenOn = (text: string, name: string): string => {
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(text) ?? []
  if (value === undefined) throw new Error(`no hidden ${name}`)
  return value
}
