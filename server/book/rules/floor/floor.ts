import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'

/*
 * What a venue has to seat people at, as it is stored and as the engine that assigns tables gets it. Tables are
 * known by their id inside, and by their label to people and in documents.
 */

export const tableShapes = ['square', 'round', 'rectangle', 'bar'] as const

export type Room = { readonly id: number; readonly name: string; readonly isOn: boolean }

export type DiningTable = {
  readonly id: number
  readonly room: number
  /** At most 6 characters, unique at the venue regardless of case. */
  readonly label: string
  /** The smallest and the largest party it is given to. */
  readonly least: number
  readonly most: number
  readonly shape: string
  /** Where it is in its room, in grid steps from the upper left. */
  readonly x: number
  readonly y: number
  /** False: for staff only. */
  readonly online: boolean
  /** Those with a lower number are given first. */
  readonly priority: number
  readonly features: readonly string[]
}

/** What a room is recognized by, besides its tables. */
export const drawnKinds = ['wall', 'door', 'bar'] as const

/** Drawn by a manager, in the same grid steps as tables. Nothing is decided by it. */
export type DrawnPart = {
  readonly room: number
  readonly what: string
  readonly x: number
  readonly y: number
  readonly wide: number
  readonly high: number
}

/** Tables that may be joined for one party; it holds them all. */
export type Combination = {
  readonly id: number
  readonly tables: readonly number[]
  readonly least: number
  readonly most: number
}

/** A table that is out of order for a while, in the venue's wall time, with minutes after 00:00: up to the end, which is not part of it. */
export type Outage = {
  readonly table: number
  readonly fromDate: LocalDate
  readonly fromMinute: number
  readonly untilDate: LocalDate
  readonly untilMinute: number
  readonly why: string | null
}

/** Why the tables of a server who was sent home take nobody. */
export const cutReason = 'cut'

/** A room or a table that takes nobody on these service dates. */
export type FloorPlan = {
  readonly room: number | null
  readonly table: number | null
  /** ISO weekdays of the service date; empty: every one. */
  readonly weekdays: readonly number[]
  /** Both included; null: without an end. */
  readonly from: LocalDate | null
  readonly to: LocalDate | null
  /** The service it is about, by its name; null: the whole day. */
  readonly service: string | null
}

/** The sections of the floor, as they are numbered: a server has one or more of them. */
export type SectionPlan = {
  readonly id: number
  readonly tables: readonly { readonly table: number; readonly section: number }[]
}

/** One service of a service date, and who has which section in it. For staff only. */
export type Shift = {
  readonly id: number
  readonly date: LocalDate
  readonly fromMinute: number
  /** The first minute that is no longer part of it. */
  readonly toMinute: number
  readonly plan: number
  readonly servers: readonly {
    readonly section: number
    readonly server: number
    /** When they are there, in minutes of its date. */
    readonly from: number
    readonly until: number
  }[]
}

export type Floor = {
  /** How long a table rests after a party, in minutes. */
  readonly turnoverMinutes: number
  readonly rooms: readonly Room[]
  readonly tables: readonly DiningTable[]
  readonly drawn: readonly DrawnPart[]
  readonly combinations: readonly Combination[]
  readonly outages: readonly Outage[]
  readonly plans: readonly FloorPlan[]
  readonly sectionPlans: readonly SectionPlan[]
  /** The latest ones, from the last. */
  readonly shifts: readonly Shift[]
}

/** The largest party that a table or joined tables take, whether they are on now or not. */
export const largestSeated = ({ tables, combinations }: Pick<Floor, 'tables' | 'combinations'>): number =>
  Math.max(0, ...[...tables, ...combinations].map(({ most }) => most))

/** Whether tables decide about bookings. */
export const tableModes = ['off', 'on'] as const
export type TableMode = (typeof tableModes)[number]
