import { timingSafeEqual } from 'node:crypto'
import { type KeyRing, keyedHash } from '../../../platform/kernel/secrets.ts'

/*
 * A form that gives something away is good only for the session that opened its page, and for what that page showed: so
 * neither another site's form nor a tab from before somebody else signed in can press it.
 */

export type Sealed = { readonly session: Buffer; readonly token: string; readonly asked: string }

export const sealOf = (ring: KeyRing, sealed: Sealed): string => macOf(ring[0], sealed).toString('base64url')

export const isSealed = (ring: KeyRing, sealed: Sealed, seal: string): boolean => {
  const given = Buffer.from(seal, 'base64url')
  return ring.some((entry) => {
    const mac = macOf(entry, sealed)
    return given.length === mac.length && timingSafeEqual(given, mac)
  })
}

const macOf = ({ link }: KeyRing[number], { session, token, asked }: Sealed): Buffer =>
  keyedHash([session.toString('hex'), token, asked].join(' '), keyedHash('consent', link))
