import type { IncomingHttpHeaders } from 'node:http'
import { deviceDays } from '../../../core/staff/known-device.ts'

/**
 * Set next to the session cookie and kept when that ends: who signed in on this browser before
 * (staff/known-device.ts).
 */
export const deviceCookie = (publicUrl: string, text: string): string =>
  `${nameOf(publicUrl)}=${text}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${deviceDays * 86_400}${publicUrl.startsWith('https:') ? '; Secure' : ''}`

export const deviceIn = ({ cookie }: IncomingHttpHeaders, publicUrl: string): string | undefined => {
  const start = `${nameOf(publicUrl)}=`
  return cookie
    ?.split(/;\s*/)
    .find((one) => one.startsWith(start))
    ?.slice(start.length)
}

const nameOf = (publicUrl: string): string => (publicUrl.startsWith('https:') ? '__Host-device' : 'device')
