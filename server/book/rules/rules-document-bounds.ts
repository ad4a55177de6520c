import { limits } from '@venue-data/contract/limits.ts'

/** Bounds of the rules document: least and most of its numbers, longest texts and lists. */
export const documentBounds = {
  /** Guests. */
  party: [1, limits.partyGuests],
  /** Minutes; a year. */
  noticeMinutes: [0, 525_600],
  /** Days; ten years. */
  daysAhead: [0, 3650],
  /** Minutes. */
  intervalMinutes: [1, 1440],
  /** Guests or parties in one bucket; 0 takes none. */
  load: [0, 100_000],
  /** Minutes a table is held. */
  turnMinutes: [1, 1440],
  /** ISO weekday. */
  weekday: [1, 7],
  /** Characters. */
  name: 100,
  /** Characters. */
  publicNote: 300,
  /** Entries of each list. */
  turnTimes: 50,
  periods: 200,
  periodsOfDay: 24,
  seatings: 288,
  specialDays: 1000,
  closures: 1000,
  blocks: 5000,
  rooms: 50,
  tables: 500,
  combinations: 500,
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
  priority: [-1000, 1000],
  /** Minutes a table rests. */
  turnoverMinutes: [0, 240],
} as const
