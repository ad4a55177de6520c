import { createHash, randomBytes } from 'node:crypto'
import type { AskedApp } from '../../../integrations/apps/app-fields.ts'
import { createApp } from '../../../integrations/apps/apps.ts'
import { type OfficeVisitor, type Seen, staffOf, visitOffice } from '../../../test/office.ts'
import type { TestService, TestVenue } from '../../../test/service.ts'

/** A registered app as its own server sees it, and an owner's browser. */
export type App = {
  readonly id: number
  readonly clientId: string
  /** Empty: an assistant has none. */
  readonly secret: string
  readonly redirect: string
}

export const anApp = async ({ context }: TestService, more: Partial<AskedApp> = {}): Promise<App> => {
  const redirect = more.redirects?.[0] ?? 'https://crm.example.com/callback'
  const { row, secret } = await context.db.transaction((db) =>
    createApp(context, db, {
      ...{ kind: 'app' as const, resource: null },
      ...{ name: 'Maple CRM', home: 'https://crm.example.com/', privacy: 'https://crm.example.com/privacy' },
      ...{
        redirects: [redirect],
        needed: ['guests:read'],
        optional: ['reservations:read', 'webhooks:manage'],
      },
      ...more,
    }),
  )
  return { id: row.id, clientId: row.client_id, secret: secret ?? '', redirect }
}

/** An owner of the venue, signed in. */
export const anOwner = async (service: TestService, venue: TestVenue): Promise<OfficeVisitor> => {
  const { email } = await staffOf(service, venue, 'owner')
  const owner = visitOffice(service)
  await owner.signIn(email)
  return owner
}

export const verifier = randomBytes(32).toString('base64url')
export const challengeOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The address that an app sends an owner to; a value of undefined is left out. */
export const askPath = (app: App, more: Record<string, string | undefined> = {}): string => {
  const given: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: app.redirect,
    state: 'a state of the app',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...more,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value)
  return `/oauth/authorize?${query.toString()}`
}

/** The fields of the consent page's form, as the page has them. */
export const fieldsIn = (page: Seen): Record<string, string> => {
  const form =
    /<form class="form" method="post" action="\/oauth\/authorize">[^]*<\/form>/.exec(page.html)?.[0] ?? ''
  const fields: Record<string, string> = {}
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = / name="([^"]*)"/.exec(input) ?? []
    const [, value = ''] = / value="([^"]*)"/.exec(input) ?? []
    if (input.includes('type="checkbox"') && !/ checked/.test(input)) continue
    fields[name] = value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
  }
  return fields
}

/** The page, and the press on it: what the browser is sent to. */
export const allow = async (
  owner: OfficeVisitor,
  app: App,
  { ask = {}, form = {} }: { ask?: Record<string, string>; form?: Record<string, string> } = {},
): Promise<{ readonly to: URL; readonly code: string }> => {
  const page = await owner.get(askPath(app, ask))
  const pressed = await owner.post('/oauth/authorize', { ...fieldsIn(page), press: 'allow', ...form })
  if (pressed.to === null) throw new Error(`${pressed.status} ${pressed.words}`)
  const to = new URL(pressed.to)
  return { to, code: to.searchParams.get('code') ?? '' }
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers they know
export type Said = { readonly status: number; readonly headers: Headers; readonly body: any }

/** A form to an address of the app's side, signed in by Basic. */
export const send = async (
  { url }: Pick<TestService, 'url'>,
  app: Pick<App, 'clientId' | 'secret'> | undefined,
  path: string,
  fields: Record<string, string> | undefined,
): Promise<Said> => {
  const basic = app && `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}`
  const answer = await fetch(url + path, {
    method: fields ? 'POST' : 'GET',
    headers: { ...(basic && { authorization: basic }) },
    ...(fields && { body: new URLSearchParams(fields) }),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

export const exchange = (
  service: Pick<TestService, 'url'>,
  app: App,
  code: string,
  more: Record<string, string> = {},
): Promise<Said> =>
  send(service, app, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirect,
    code_verifier: verifier,
    ...more,
  })
