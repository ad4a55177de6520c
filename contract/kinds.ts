/** The kinds of records, by the words in which changes name them, in the order in which changes of one moment are told. */
export const recordKinds = [
  'guest',
  'reservation',
  'subscriber',
  'ticket_order',
  'waitlist_entry',
  'lead',
  'task',
  'campaign',
] as const
export type RecordKind = (typeof recordKinds)[number]
