import { isEmailAddress } from './email.ts'

/** An address with its name; the name may be empty. */
export type Mailbox = { readonly name: string; readonly address: string }

/** Reads `hello@example.com` or `The Blue Door <hello@example.com>`; undefined for anything else. */
export const readMailbox = (text: string): Mailbox | undefined => {
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = (bracketed ?? text).trim()
  if (!isEmailAddress(address) || /\p{Cc}/u.test(name)) return undefined
  return { name: name.trim().replaceAll(/^"|"$/g, ''), address }
}

/** The part after the @. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
