import type { Contribution } from './contributions.ts'
import { appendNotes, conflictLine, fillIn, guestFields } from './rules.ts'
import type { StaffColumns } from './staff-writes.ts'

/*
 * What two guests who are the same person become, and what they were. A filled field is never overwritten and nothing
 * is lost: what differs goes into the staff notes, as it does when a booking has other details.
 */

export type MergeFacts = {
  /** The venue's calendar date. */
  readonly date: string
  readonly goneId: number
}

/** The kept guest, after a merge. */
export const mergedColumns = (
  kept: StaffColumns,
  gone: StaffColumns,
  { date, goneId }: MergeFacts,
): StaffColumns => {
  const { fill, conflicting } = fillIn(kept, gone)
  const lines = guestFields.flatMap((field) => {
    const value = conflicting[field]
    return value === undefined ? [] : [conflictLine({ date, source: 'merge', field, value })]
  })
  const spare = (['seatingPreference', 'referralSource'] as const).flatMap((field) => {
    const value = gone[field]
    return value === null || kept[field] === null || kept[field] === value
      ? []
      : [`${date} merge: another ${words[field]} was given: ${value}`]
  })
  const mark = `${date} merge: guest ${goneId}${gone.name ? ` (${gone.name})` : ''} became part of this guest`
  return {
    name: fill.name ?? kept.name,
    email: fill.email ?? kept.email,
    phone: fill.phone ?? kept.phone,
    seatingPreference: kept.seatingPreference ?? gone.seatingPreference,
    referralSource: kept.referralSource ?? gone.referralSource,
    externalId: fill.externalId ?? kept.externalId,
    allergies: appendNotes(kept.allergies, [gone.allergies ?? '']),
    staffNotes:
      appendNotes(kept.staffNotes, [gone.staffNotes, ...lines, ...spare, mark.replaceAll(/\s+/g, ' ')]) ?? '',
  }
}

/**
 * The kept guest, after the merge is undone: each field as before, unless somebody changed it since. Lines added to
 * the notes since then stay below what was there before.
 */
export const unmergedColumns = (
  now: StaffColumns,
  merged: StaffColumns,
  before: StaffColumns,
): StaffColumns => {
  const back = <Field extends keyof StaffColumns>(field: Field): StaffColumns[Field] =>
    now[field] === merged[field] ? before[field] : now[field]
  return {
    name: back('name'),
    email: back('email'),
    phone: back('phone'),
    seatingPreference: back('seatingPreference'),
    referralSource: back('referralSource'),
    externalId: back('externalId'),
    allergies: textBack(now.allergies ?? '', merged.allergies ?? '', before.allergies ?? '') || null,
    staffNotes: textBack(now.staffNotes, merged.staffNotes, before.staffNotes),
  }
}

/** Text as before plus what was added below since; a text that was rewritten since stays as it is. */
const textBack = (now: string, merged: string, before: string): string => {
  if (!now.startsWith(merged)) return now
  const added = now.slice(merged.length)
  return before === '' ? added.replace(/^\n/, '') : before + added
}

const words = { seatingPreference: 'seating preference', referralSource: 'referral source' } as const

export const sumOf = (contributions: readonly Contribution[]): Contribution =>
  contributions.reduce(
    (sum, one) => ({
      visits: sum.visits + one.visits,
      noShows: sum.noShows + one.noShows,
      cancellations: sum.cancellations + one.cancellations,
    }),
    { visits: 0, noShows: 0, cancellations: 0 },
  )
