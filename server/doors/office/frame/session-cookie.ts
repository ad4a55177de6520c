import type { IncomingHttpHeaders } from 'node:http'
import { sessionHours } from '../../../core/staff/sessions.ts'

/** With https, the name itself makes browsers require Secure, Path=/ and no Domain. */
export const cookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-session' : 'session'

export const sessionCookie = (publicUrl: string, token: string): string =>
  `${cookieName(publicUrl)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${sessionHours.longest * 3600}${secure(publicUrl)}`

export const endedCookie = (publicUrl: string): string =>
  `${cookieName(publicUrl)}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure(publicUrl)}`

/** The session token, from `Authorization: Bearer` or the cookie. */
export const tokenOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const bearer = /^Bearer ([\w-]{43})$/.exec(headers.authorization ?? '')?.[1]
  if (headers.authorization !== undefined) return bearer
  const cookie = headers.cookie?.split(/;\s*/).find((one) => one.startsWith(`${name}=`))
  const token = cookie?.slice(name.length + 1)
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}

const secure = (publicUrl: string): string => (publicUrl.startsWith('https:') ? '; Secure' : '')
