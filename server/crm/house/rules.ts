import { dayOfMonthInWords } from '../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { dayNumber, months } from '../../platform/kernel/time/calendar.ts'
import { typedLine } from '../../platform/kernel/typed-fields.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'

/*
 * What the house knows of its guests and bookings for itself, and the marks that follow from the book. None of it
 * leaves the office: no answer of the API, event, delivery or feed has any of it.
 */

/** From so many visits on a guest is a regular. */
export const regularVisits = 5
/** A regular who has not come for more days than this has lapsed. */
export const lapsedDays = 120
/** From so many guests on a party is a big one. */
export const bigPartyGuests = 7

export const houseLimits = {
  tagCharacters: 40,
  tags: 20,
  occasionCharacters: 60,
  seatingCharacters: 60,
} as const

export type Birthday = { readonly month: number; readonly day: number }

/** What the house knows of a guest. */
export type GuestProfile = {
  readonly vip: boolean
  readonly birthday: Birthday | null
  readonly tags: readonly string[]
}

/** What the house knows of a booking. Null: there is no occasion, they sit anywhere. */
export type BookingProfile = {
  readonly occasion: string | null
  /** Where the party would like to sit. */
  readonly seating: string | null
  /** For staff's eyes only, unlike the booking's notes. An import brings it; undefined where a form does not ask for it. */
  readonly note?: string | null | undefined
  readonly tags: readonly string[]
}

export const nothingKnown: GuestProfile = { vip: false, birthday: null, tags: [] }

/** A regular who has stayed away. */
export const hasLapsed = (
  {
    visit_count,
    last_visit_date,
  }: { readonly visit_count: number; readonly last_visit_date: LocalDate | null },
  today: LocalDate,
): boolean =>
  visit_count >= regularVisits &&
  last_visit_date !== null &&
  dayNumber(today) - dayNumber(last_visit_date) > lapsedDays

/** Tags as they are typed, between commas; each once, whatever its letter case. */
export const readTags = (typed: string): string[] => {
  const names = new Map<string, string>()
  for (const part of typed.split(',')) {
    const name = typedLine('A tag', part.replaceAll(/\s+/g, ' '), houseLimits.tagCharacters)
    if (name !== null && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  if (names.size > houseLimits.tags) throw badRequest(`There can be at most ${houseLimits.tags} tags.`)
  return [...names.values()]
}

/** A birthday as people write it, "April 12", "12 April", "4/12", with or without a year; null when blank. */
export const readBirthday = (typed: string): Birthday | null => {
  const text = typed
    .trim()
    .replace(/^(\d{4})-(?=\d{1,2}-\d{1,2}$)/, '')
    .toLowerCase()
  if (text === '') return null
  const month = months.findIndex((name) => text.includes(name.slice(0, 3).toLowerCase())) + 1
  const numbers = [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits)).filter((one) => one <= 31)
  const [first = 0, second = 0] = numbers
  const read = month > 0 ? { month, day: first } : { month: first, day: second }
  if (read.month < 1 || read.month > 12 || read.day < 1 || read.day > daysIn(read.month))
    throw badRequest('The birthday must be a day and a month, such as April 12.')
  return read
}

/** "April 12", "12 April": as staff read it. A leap year has every birthday. */
export const birthdayForStaff = ({ month, day }: Birthday): string =>
  dayOfMonthInWords(`2024-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`)

/** "April 12": in files and in what is stored. */
export const birthdayInWords = ({ month, day }: Birthday): string => `${months[month - 1]} ${day}`

const daysIn = (month: number): number => (month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31)

/** One guest made of two. What is set stays; the tags of both. */
export const mergedProfile = (kept: GuestProfile, gone: GuestProfile): GuestProfile => ({
  vip: kept.vip || gone.vip,
  birthday: kept.birthday ?? gone.birthday,
  tags: together(kept.tags, gone.tags),
})

/**
 * What a file says of a guest, joined to what is known: VIP is set and never taken away, a birthday fills an empty one,
 * tags are added as long as there is room. `left`: what found no place, for the notes.
 */
export const broughtProfile = (
  known: GuestProfile,
  brought: GuestProfile,
): { readonly after: GuestProfile; readonly left: readonly string[] } => {
  const tags = together(known.tags, brought.tags)
  const over = tags.slice(houseLimits.tags)
  const other =
    brought.birthday !== null && known.birthday !== null && !sameBirthday(known.birthday, brought.birthday)
  return {
    after: {
      vip: known.vip || brought.vip,
      birthday: known.birthday ?? brought.birthday,
      tags: tags.slice(0, houseLimits.tags),
    },
    left: [
      ...(other ? [`Birthday: ${birthdayInWords(brought.birthday)}`] : []),
      ...(over.length > 0 ? [`Tags: ${over.join(', ')}`] : []),
    ],
  }
}

/** The kept guest after a merge is undone: as before it, but for what was changed since. */
export const unmergedProfile = (
  now: GuestProfile,
  merged: GuestProfile,
  before: GuestProfile,
): GuestProfile => ({
  vip: now.vip === merged.vip ? before.vip : now.vip,
  birthday: sameBirthday(now.birthday, merged.birthday) ? before.birthday : now.birthday,
  tags: now.tags.filter((tag) => has(before.tags, tag) || !has(merged.tags, tag)),
})

const has = (tags: readonly string[], tag: string): boolean =>
  tags.some((one) => one.toLowerCase() === tag.toLowerCase())

const together = (one: readonly string[], other: readonly string[]): string[] => [
  ...one,
  ...other.filter((tag) => !has(one, tag)),
]

const sameBirthday = (one: Birthday | null, other: Birthday | null): boolean =>
  one?.month === other?.month && one?.day === other?.day
