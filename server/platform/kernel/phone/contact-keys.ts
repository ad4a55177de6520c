import { emailKey } from '../email.ts'
import { phoneKey } from './phone.ts'

/** What a record is found by, as the columns that hold it are called. */
export type ContactKeys = {
  readonly email_key: string | null
  readonly phone_key: string | null
  readonly phone_international: boolean
}

export const contactKeyColumns = ['email_key', 'phone_key', 'phone_international'] as const

/** Of an address and a number as they were typed; a number that is too short to be one finds nobody. */
export const contactKeys = (email: string | null, phone: string | null): ContactKeys => {
  const number = phone === null ? undefined : phoneKey(phone)
  return {
    email_key: email === null ? null : emailKey(email),
    phone_key: number?.digits ?? null,
    phone_international: number?.international ?? false,
  }
}
