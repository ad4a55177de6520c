import {
  type PhoneNumber,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { limits } from '@venue-data/contract/limits.ts'
import { countryRead } from '../time/in-words.ts'
import { dialedOf, phoneKey } from './phone.ts'

/*
 * Phone numbers as people read them. What is stored, matched and answered by API is the number as typed; pages, mails and
 * texts show it as the venue's country writes it (docs/decisions/0066-phone-numbers-as-the-country-writes-them.md).
 */

/** A number on a page. */
export type ShownPhone = {
  readonly words: string
  /** The address of a link that calls it; undefined for a text that no phone can call. */
  readonly call: string | undefined
}

/**
 * A number as people in a country write it: "(503) 555-0123" for one of their own, "+44 20 7946 0958" for one of another
 * country, and as typed what is no number for certain.
 */
export const phoneIn = (country: string, typed: string): ShownPhone => {
  // Nothing longer can be stored today; what is, is not worth reading.
  if (typed.length > limits.phoneCharacters) return { words: typed, call: undefined }
  const number = numberOf(country, typed)
  if (!number) return { words: typed, call: dialed(typed) }
  const isOwn = number.countryCallingCode === codeOf(country)
  return {
    words: isOwn ? number.formatNational() : number.formatInternational(),
    call: `tel:${number.number}`,
  }
}

/** The same for the staff whose request it is; as typed where nobody reads, such as for a program. */
export const phoneForStaff = (typed: string): ShownPhone => {
  const country = countryRead()
  return country === undefined ? { words: typed, call: dialed(typed) } : phoneIn(country, typed)
}

/** The words alone. */
export const phoneInWords = <Typed extends string | null>(typed: Typed): Typed | string =>
  typed === null ? typed : phoneForStaff(typed).words

/** The words of a number that can be called: staff are not sent to a text that is none. */
export const numberToCall = (typed: string | null): string | undefined => {
  const shown = typed === null ? undefined : phoneForStaff(typed)
  return shown?.call === undefined ? undefined : shown.words
}

/**
 * A venue's own number for its guests, some of whom live abroad: one that the venue wrote with its country's code keeps
 * it.
 */
export const phoneForGuests = ({
  country,
  phone,
}: {
  readonly country: string
  readonly phone: string | null
}): ShownPhone | undefined => {
  if (phone === null) return undefined
  const shown = phoneIn(country, phone)
  return dialedOf(phone).international ? { ...shown, words: phoneIn(abroad, phone).words } : shown
}
const abroad = ''

/** The code of the country of the staff who read: "44". */
export const callingCodeRead = (): string | undefined => codeOf(countryRead() ?? '')

const codeOf = (country: string): string | undefined =>
  isSupportedCountry(country) ? getCountryCallingCode(country) : undefined

/** As dialed, where the country is not certain. */
const dialed = (typed: string): string | undefined => {
  if (phoneKey(typed) === undefined) return undefined
  const { digits, international } = dialedOf(typed)
  return `tel:${international ? '+' : ''}${digits}`
}

/** The library reads only what our own reading of numbers leaves, so that what is shown is what is matched. */
const numberOf = (country: string, typed: string): PhoneNumber | undefined => {
  if (phoneKey(typed) === undefined) return undefined
  const { digits, international, extension, hasWords } = dialedOf(typed)
  if (hasWords) return undefined
  const read = (text: string) =>
    parsePhoneNumberFromString(text, {
      extract: false,
      ...(isSupportedCountry(country) && { defaultCountry: country }),
    })
  const number = read(international ? `+${digits}` : digits)
  if (!number?.isValid() || isShort(number)) return undefined
  if (!international && number.nationalNumber.length < leastWithArea && isWithoutZero()) return undefined
  if (extension !== '') number.setExt(extension)
  return number

  /** In a country where numbers of other towns begin with a zero, a short number without one may lack its town. */
  function isWithoutZero(): boolean {
    return read(`0${digits}`)?.nationalNumber === number?.nationalNumber
  }
}

/** Seven digits that some towns of North America dial, and nobody else reaches. */
const isShort = ({ countryCallingCode, nationalNumber }: PhoneNumber): boolean =>
  countryCallingCode === '1' && nationalNumber.length !== 10

const leastWithArea = 9
