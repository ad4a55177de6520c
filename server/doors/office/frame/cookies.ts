import type { IncomingHttpHeaders } from 'node:http'
import { deviceDays } from '../../../core/staff/known-device.ts'
import { sessionHours } from '../../../core/staff/sessions.ts'

/*
 * Two cookies: the session's, and one that is set next to it and kept when that ends, which says who signed in on this
 * browser before (core/staff/known-device.ts).
 */

/** With https, the name itself makes browsers require Secure, Path=/ and no Domain. */
export const cookieName = (publicUrl: string): string => nameOf('session', publicUrl)

export const sessionCookie = (publicUrl: string, token: string): string =>
  written('session', token, sessionHours.longest * 3600, publicUrl)

export const endedCookie = (publicUrl: string): string => written('session', '', 0, publicUrl)

export const deviceCookie = (publicUrl: string, text: string): string =>
  written('device', text, deviceDays * 86_400, publicUrl)

/** The session token, from `Authorization: Bearer` or the cookie. */
export const tokenOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const bearer = /^Bearer ([\w-]{43})$/.exec(headers.authorization ?? '')?.[1]
  if (headers.authorization !== undefined) return bearer
  const token = valueIn(headers, name)
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}

export const deviceIn = (headers: IncomingHttpHeaders, publicUrl: string): string | undefined =>
  valueIn(headers, nameOf('device', publicUrl))

type Kept = 'session' | 'device'

const nameOf = (kept: Kept, publicUrl: string): string => (isSecure(publicUrl) ? `__Host-${kept}` : kept)

const written = (kept: Kept, text: string, seconds: number, publicUrl: string): string =>
  `${nameOf(kept, publicUrl)}=${text}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure(publicUrl) ? '; Secure' : ''}`

const valueIn = ({ cookie }: IncomingHttpHeaders, name: string): string | undefined =>
  cookie
    ?.split(/;\s*/)
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)

const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')
