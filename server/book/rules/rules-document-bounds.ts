/** Bounds of the rules document that forms and CSV files go by, too: least and most of numbers, longest texts and lists. */
export const documentBounds = {
  /** ISO weekday. */
  weekday: [1, 7],
  /** Characters. */
  name: 100,
  /** Entries of each list. */
  rooms: 50,
  tables: 500,
  combinations: 500,
  drawn: 500,
  outages: 500,
  plans: 500,
  /** Tables of a combination. */
  joined: 20,
  features: 20,
  /** Characters. */
  label: 6,
  feature: 30,
  /** Guests at a table. */
  seats: [1, 1000],
  /** Grid steps. */
  place: [0, 10_000],
  /** How wide and high what is drawn of a room is. */
  drawnSteps: [1, 60],
  priority: [-1000, 1000],
  /** Minutes a table rests. */
  turnoverMinutes: [0, 240],
  /** Hundredths of the currency that a card or a deposit is for. */
  guaranteeCents: [1, 100_000_000],
  /** Hours before the booking. */
  freeUntilHours: [0, 720],
  /** Experiences of a venue. */
  experiences: 50,
  /** Parties that have one in an evening. */
  mostPerEvening: [1, 10_000],
  /** Characters of what guests read of one. */
  experienceText: 500,
  /** Days that a card is kept after the visit. */
  keepCardDays: [0, 14],
} as const
