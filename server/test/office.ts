import type { StaffRole } from '../core/staff/roles.ts'
import { insertStaff } from '../core/staff/writes.ts'
import type { TestService, TestVenue } from './service.ts'

/** What a browser would see. */
export type Seen = {
  readonly status: number
  readonly to: string | null
  readonly html: string
  /** What is to be read: the page without its tags, blanks collapsed. */
  readonly words: string
  readonly headers: Headers
}

/** Somebody at the office without script: follows nothing by itself, keeps its cookie, sends forms from this site. */
export type OfficeVisitor = {
  get: (path: string, headers?: Record<string, string>) => Promise<Seen>
  post: (
    path: string,
    fields?: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ) => Promise<Seen>
  /** Sends a form with a file. */
  upload: (
    path: string,
    file: { readonly name: string; readonly bytes: string | Buffer },
    headers?: Record<string, string>,
  ) => Promise<Seen>
  /** Signs in with the password every test account has. */
  signIn: (email: string) => Promise<Seen>
  /** The cookie of the session. */
  readonly cookie: () => string
}

export const testPassword = 'correct horse battery'

/** Its hash as an account may have it from a time when the cost was lower: tests sign in some thousand times. */
const testPasswordHash =
  '$argon2id$v=19$m=64,t=1,p=1$BwcHBwcHBwcHBwcHBwcHBw$ViyS/BfMs2xQSMPUX+Z0W0cGQiswmMiAmXGOCUEqE5M'

/** An account of a venue, with the password of the tests. */
export const staffOf = async (
  { context }: TestService,
  venue: Pick<TestVenue, 'id' | 'slug'>,
  role: StaffRole,
  email = `${role}@${venue.slug}.example.com`,
): Promise<{ id: number; email: string }> => {
  const account = { email, role, passwordHash: testPasswordHash }
  const row = await insertStaff(context.db, venue.id, account, context.clock())
  if (!row) throw new Error(`There is already an account with the address ${email}.`)
  return { id: row.id, email }
}

export const visitOffice = ({ url }: Pick<TestService, 'url'>): OfficeVisitor => {
  const kept = new Map<string, string>()
  const cookie = (): string => [...kept.values()].join('; ')
  const ask = async (path: string, init: RequestInit): Promise<Seen> => {
    const response = await fetch(url + path, { ...init, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const pair = set.split(';', 1)[0] as string
      const name = pair.slice(0, pair.indexOf('='))
      if (pair === `${name}=`) kept.delete(name)
      else kept.set(name, pair)
    }
    const html = await response.text()
    return {
      status: response.status,
      to: response.headers.get('location'),
      html,
      words: html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '),
      headers: response.headers,
    }
  }
  const visitor: OfficeVisitor = {
    get: (path, headers = {}) => ask(path, { headers: { cookie: cookie(), ...headers } }),
    post: (path, fields = {}, headers = {}) => {
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries(fields)) {
        for (const one of Array.isArray(value) ? value : [value]) body.append(name, one)
      }
      return ask(path, {
        method: 'POST',
        body,
        headers: { cookie: cookie(), origin: url, 'sec-fetch-site': 'same-origin', ...headers },
      })
    },
    upload: (path, { name, bytes }, headers = {}) => {
      const body = new FormData()
      body.append('file', new Blob([bytes as string]), name)
      return ask(path, {
        method: 'POST',
        body,
        headers: { cookie: cookie(), 'sec-fetch-site': 'same-origin', ...headers },
      })
    },
    signIn: (email) => visitor.post('/office/sign-in', { email, password: testPassword }),
    cookie: () => kept.get('session') ?? kept.get('__Host-session') ?? '',
  }
  return visitor
}

/** The secret of codes as the page shows it, to be typed into an app. */
export const secretIn = (page: string): string =>
  (/<p class="code">([A-Z2-7 ]{39})<\/p>/.exec(page)?.[1] ?? '').replaceAll(' ', '')
