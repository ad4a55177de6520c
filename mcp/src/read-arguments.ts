import type { z } from 'zod'
import { Refusal } from './refusals.ts'

/** What people who know other APIs call an argument; the first that the tool has is meant. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  covers: ['partySize'],
  cursor: ['after'],
  day: ['date'],
  email: ['q', 'contactEmail'],
  from: ['dateFrom', 'since', 'date'],
  guests: ['partySize', 'guestCount'],
  name: ['guestName', 'q', 'contactName'],
  party: ['partySize'],
  people: ['partySize', 'guestCount'],
  phone: ['q', 'contactPhone'],
  query: ['q'],
  search: ['q'],
  to: ['dateTo', 'dueBy'],
  until: ['dateTo', 'dueBy'],
}

/**
 * The arguments of a call, read.
 *
 * @throws Refusal with a sentence that names each wrong argument, and the right one where it can be told
 */
export const readArguments = (input: z.ZodObject, given: Readonly<Record<string, unknown>>): object => {
  const { success, data, error } = input.safeParse(given)
  if (success) return data
  const known = Object.keys(input.shape)
  throw new Refusal(error.issues.flatMap((issue) => sentencesOf(issue, known, given)).join(' '))
}

const sentencesOf = (issue: z.core.$ZodIssue, known: readonly string[], given: object): string[] => {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return issue.keys.map((name) => aboutUnknown(name, known))
  const [name = ''] = issue.path
  if (issue.code === 'invalid_type' && issue.expected === 'array' && Object.hasOwn(given, name))
    return [`\`${String(name)}\` is a list, such as ["one", "other"].`]
  // What was sent is not repeated: it may be a guest's.
  return [
    Object.hasOwn(given, name)
      ? `\`${issue.path.join('.')}\`: ${issue.message}.`
      : `\`${String(name)}\` is missing.`,
  ]
}

const aboutUnknown = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known)
  const shown = name.slice(0, 40).replaceAll(/[^\w.-]/g, '')
  return meant === undefined
    ? `There is no argument \`${shown}\`; ${known.length === 0 ? 'this tool takes none' : `the arguments are ${known.map((one) => `\`${one}\``).join(', ')}`}.`
    : `There is no argument \`${shown}\`; use \`${meant}\`.`
}

/** Names as short as `id`, `to` or `q` are part of too many others. */
const shortest = 4

/** What is for staff, or another record's id, is not some other argument in other words. */
const isOfItsOwn = /^(?:staff|internal|private)|.id$/

/** The argument that was probably meant: spelled otherwise, called otherwise, or a part of its name. */
const nearest = (name: string, known: readonly string[]): string | undefined => {
  const plain = plainName(name)
  const called = Object.hasOwn(otherNames, plain) ? (otherNames[plain] ?? []) : []
  return (
    known.find((one) => plainName(one) === plain) ??
    called.find((one) => known.includes(one)) ??
    (isOfItsOwn.test(plain) ? undefined : known.find((one) => isPartOf(plain, plainName(one))))
  )
}

const isPartOf = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= shortest && (one.includes(other) || other.includes(one))

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')
