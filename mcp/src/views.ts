import { z } from 'zod'
import { cleanText, untrustedShape } from './untrusted.ts'

/** The fields of records in answers: no more than assistants need, with outsiders' text kept separate. */
export type View = {
  readonly shape: z.ZodObject
  readonly plain: readonly string[]
  /** Free text, always shown. */
  readonly typed: readonly string[]
  /** Contact details: only on request. */
  readonly contact: readonly string[]
  /** Notes: only on request. */
  readonly written: readonly string[]
}

const count = z.number().int().nullable()
const word = z.string().nullable()
const id = z.number().int()

const view = (
  plain: z.ZodRawShape,
  { typed, contact = [], written = [] }: Partial<View> & Pick<View, 'typed'>,
): View => ({
  shape: z.object({ ...plain, untrusted: untrustedShape([...typed, ...contact, ...written]) }),
  plain: Object.keys(plain),
  typed,
  contact,
  written,
})

const reach = ['email', 'phone']

export const views = {
  reservation: view(
    {
      ...{ id: id.nullable(), date: word, time: word, partySize: count, durationMinutes: count },
      ...{ status: word, source: word, floorStage: word, checkedInAt: word, cancelledBy: word },
    },
    { typed: ['guestName', 'bookingType'], contact: reach, written: ['notes'] },
  ),
  guest: view(
    {
      id: id.nullable(),
      visitCount: count,
      noShowCount: count,
      cancellationCount: count,
      lastVisitDate: word,
    },
    { typed: ['name', 'seatingPreference', 'referralSource'], contact: reach },
  ),
  waitlist_entry: view(
    {
      ...{ id: id.nullable(), date: word, partySize: count, status: word, source: word },
      ...{ requestedTime: word, windowStart: word, windowEnd: word, quotedMinutes: count, quotedAt: word },
      ...{ pagedAt: word, seatedAt: word },
    },
    { typed: ['guestName'], contact: reach, written: ['notes'] },
  ),
  lead: view(
    { id: id.nullable(), priority: word, submittedAt: word },
    {
      typed: [
        ...['contactName', 'eventName', 'stage', 'occasion', 'date', 'guestCount', 'budgetPerPerson'],
        ...['diningStyle', 'submittedVia'],
      ],
      contact: ['contactEmail', 'contactPhone'],
      written: ['dietaryNeeds', 'notes'],
    },
  ),
  task: view(
    {
      id: id.nullable(),
      due: word,
      priority: word,
      category: word,
      assignedRole: word,
      done: z.boolean(),
      doneAt: word,
    },
    { typed: ['title', 'client'] },
  ),
  visit: view(
    {
      ...{ id: id.nullable(), guestId: count, waitlistEntryId: count, date: word, time: word },
      ...{ partySize: count, durationMinutes: count, status: word, tableIds: z.array(id).nullable() },
      ...{ seatedAt: word, leftAt: word, stayMinutes: count },
    },
    { typed: [] },
  ),
} as const satisfies Readonly<Record<string, View>>

export type ViewedKind = keyof typeof views

export type Include = {
  readonly includeContact?: boolean | undefined
  readonly includeNotes?: boolean | undefined
  /** Further fields to show, such as those that a write names. */
  readonly fields?: readonly string[]
}

/** The fields of a record that a view shows. */
export const show = (
  { plain, typed, contact, written }: View,
  record: object,
  { includeContact, includeNotes, fields = [] }: Include = {},
): Record<string, unknown> => {
  const values = record as Readonly<Record<string, unknown>>
  const asked = [
    ...typed,
    ...contact.filter((name) => includeContact || fields.includes(name)),
    ...written.filter((name) => includeNotes || fields.includes(name)),
  ]
  return {
    ...Object.fromEntries(plain.map((name) => [name, clean(values[name])])),
    untrusted: Object.fromEntries(asked.map((name) => [name, clean(values[name])])),
  }
}

const clean = (value: unknown): unknown => (typeof value === 'string' ? cleanText(value) : (value ?? null))
