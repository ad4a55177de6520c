import { cleanText } from './untrusted.ts'

/** The fields of records in answers: no more than assistants need, with outsiders' text kept separate. */
export type View = {
  readonly plain: readonly string[]
  /** Free text, always shown. */
  readonly typed: readonly string[]
  /** Contact details: only on request. */
  readonly contact: readonly string[]
  /** Notes: only on request. */
  readonly written: readonly string[]
}

const view = (
  plain: readonly string[],
  { typed, contact = [], written = [] }: Partial<View> & Pick<View, 'typed'>,
): View => ({ plain, typed, contact, written })

const reach = ['email', 'phone']

export const views = {
  reservation: view(
    [
      ...['id', 'date', 'time', 'partySize', 'durationMinutes', 'status', 'source', 'floorStage'],
      ...['checkedInAt', 'cancelledBy'],
    ],
    { typed: ['guestName', 'bookingType'], contact: reach, written: ['notes'] },
  ),
  guest: view(['id', 'visitCount', 'noShowCount', 'cancellationCount', 'lastVisitDate'], {
    typed: ['name', 'seatingPreference', 'referralSource'],
    contact: reach,
  }),
  waitlist_entry: view(
    [
      ...['id', 'date', 'partySize', 'status', 'source', 'requestedTime', 'windowStart', 'windowEnd'],
      ...['quotedMinutes', 'quotedAt', 'pagedAt', 'seatedAt'],
    ],
    { typed: ['guestName'], contact: reach, written: ['notes'] },
  ),
  lead: view(['id', 'priority', 'submittedAt'], {
    typed: [
      ...['contactName', 'eventName', 'stage', 'occasion', 'date', 'guestCount', 'budgetPerPerson'],
      ...['diningStyle', 'submittedVia'],
    ],
    contact: ['contactEmail', 'contactPhone'],
    written: ['dietaryNeeds', 'notes'],
  }),
  task: view(['id', 'due', 'priority', 'category', 'assignedRole', 'done', 'doneAt'], {
    typed: ['title', 'client'],
  }),
  visit: view(
    [
      ...['id', 'guestId', 'waitlistEntryId', 'date', 'time', 'partySize', 'durationMinutes', 'status'],
      ...['tableIds', 'seatedAt', 'leftAt', 'stayMinutes'],
    ],
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

/** The fields of a record that a view shows; of those that nobody typed, only what is not empty. */
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
    ...Object.fromEntries(
      plain
        .map((name) => [name, clean(values[name])] as const)
        .filter(([name, value]) => value !== null || name === 'id'),
    ),
    untrusted: Object.fromEntries(asked.map((name) => [name, clean(values[name])])),
  }
}

const clean = (value: unknown): unknown => (typeof value === 'string' ? cleanText(value) : (value ?? null))
