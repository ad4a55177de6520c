/*
 * What assigning tables is about, in plain facts: one service day's tables, the combinations they may be joined to, and
 * its parties. Nobody here knows the database, the clock or the venue's zone; who calls has turned dates into instants,
 * turnover gaps into longer parties, and what is out of order or off by plan into spans of a table.
 */

/** From one instant up to another, which is no longer part of it; both in milliseconds since 1970, UTC. */
export type Span = { readonly from: number; readonly until: number }

export type Table = {
  readonly id: number
  /** The smallest and the largest party it is given to. */
  readonly least: number
  readonly most: number
  /** Whether bookings from the door `online` may get it; other tables are for staff. */
  readonly online: boolean
  /** Tables with a lower number are given first. */
  readonly priority: number
  readonly features: readonly string[]
  /** The covers of an evening are spread over sections; tables without one take no part. A room will do. */
  readonly section: string | null
  /** When it takes nobody: out of order, or off by the plan of the day. In any order, and they may overlap. */
  readonly unavailable: readonly Span[]
}

/** Tables that may be joined for one party, which then holds every one of them. */
export type Combination = {
  readonly id: number
  readonly tables: readonly number[]
  readonly least: number
  readonly most: number
}

/** Somebody who needs a table: a booking, a request, a hold, a party that sits, a walk-in that is asked about. */
export type Party = Span & {
  /** When it is likely to leave, where that is known: who waits for its tables has them from then on. */
  readonly leaves?: number | undefined
  /** Whether it waits in line: those before it at a table are gone once they are likely to have left. */
  readonly waits?: true
  /** Identifies it among the evening's parties. Of parties that are otherwise alike, the lower id comes first. */
  readonly id: string
  readonly size: number
  /** A table that is only for larger parties will do too, if it takes this one; absent: its own size. */
  readonly asLargeAs?: number
  /**
   * The tables it holds now; none for a request, a hold or a pending change. What staff arranged is taken as it is, even
   * where it breaks a rule: too small a table, tables that are no combination, two parties at one table.
   */
  readonly tables: readonly number[]
  /**
   * Whether it stays where it is: pinned, arrived, seated, over, or due within 30 minutes. One that holds no tables has
   * nowhere to stay and is given some like any other.
   */
  readonly fixed: boolean
  /** Whether it may only be given tables for online bookings, and combinations of such. */
  readonly onlineOnly: boolean
  /** The features it would like. They decide between tables, they never refuse one. */
  readonly features: readonly string[]
  /** Of those that hold no tables the lowest are looked after first, and of equals the largest party; absent: last of all. */
  readonly turn?: number | undefined
  /**
   * Parties with the same `group` are never there at once, so they may hold the same table at the same time: a booking and
   * its pending change, of which only one will come true. Null for all others.
   */
  readonly group: string | null
}

export type LaterSections = {
  readonly from: number
  /** By the id of a table. */
  readonly sections: ReadonlyMap<number, string>
}

/** A service day as it is stored. The order of the lists never matters. */
export type Evening = {
  readonly tables: readonly Table[]
  /** Other sections of the tables, for who comes from an instant on; in ascending order. Until the first those above count. */
  readonly laterSections?: readonly LaterSections[]
  readonly combinations: readonly Combination[]
  readonly parties: readonly Party[]
}

/** Where parties go. What is stored stays as it is for everybody who is not named here. */
export type Assignment = {
  /** The tables, in ascending order, of each party that held none or holds others from now on. */
  readonly given: ReadonlyMap<string, readonly number[]>
  /** Who of these held other tables before, in ascending order of their ids. */
  readonly moved: readonly string[]
  /** Who holds no table and gets none, in ascending order of their ids. */
  readonly unseated: readonly string[]
  /** How much work it was: each look at one place for one party is a step. */
  readonly steps: number
  /**
   * Whether the search came to its end: nothing better exists. False where the bound of steps broke it off, so that there
   * might be an assignment that was not found.
   */
  readonly ended: boolean
}

/** Whether a party can have a table along with all others. */
export type Judgement = Assignment & {
  /** True: with this assignment. False: no assignment exists, or (not `ended`) none was found within the bound. */
  readonly seated: boolean
}
