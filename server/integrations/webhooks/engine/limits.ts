import { limits } from '@venue-data/contract/limits.ts'

/** Every number in the delivery engine, named with its unit. */
export const engineLimits = {
  /** The most attempts running in one process. First attempts and retries may each use up to three quarters. */
  triesOfProcess: 1_024,
  shareOfOneKind: 0.75,
  /** The most attempts running across all processes. */
  triesOfVenue: 20,
  /** Of these, those at endpoints that left the last try unanswered: a place taken there is taken for long. */
  triesOfSilent: 15,
  triesOfEndpoint: 5,
  triesOfSlowEndpoint: 1,

  /** How many deliveries a venue may take in one turn before the others get theirs. */
  eventsOfTurn: 2,
  retriesOfTurn: 5,

  /** The venue's pace (docs/webhooks.md#pace). */
  paceEvents: limits.eventsPerMinute,
  /** Events that may leave under late names alone, which keeps some places free for the others at any moment. */
  paceLateEvents: limits.lateEventsPerMinute,
  /** While others are due, this many of them leave for each of these. */
  firstForOneLate: 5,
  /**
   * Places in both limits reserved for the doorbell if an endpoint subscribes to it, so that it goes out at once
   * regardless of other traffic: as many as it can ring within the window.
   */
  ringsOfPace: Math.floor(60 / limits.doorbellSeconds) + 1,
  paceWindowMs: 60_000,
  /**
   * A first attempt starts within this time of its event being counted, or the event is counted again. The pace's
   * window is longer by the same amount, so that no sixty seconds at the receiver contain sixty-one events.
   */
  startWithinMs: 1_000,
  /**
   * The last look before an attempt is valid for this long. Then it is repeated a few times, each valid twice as long
   * as the one before, up to `startWithinMs`.
   */
  lookHoldsMs: 250,
  looksOfTry: 4,
  looksAtOnce: 2,

  /** Longer than the longest attempt: 3 s for the name and 10 s for the answer. */
  leaseMs: 25_000,
  /** An attempt starts in the first part of its lease, after the name lookup and the last look, or it is given back. */
  startShareOfLease: 0.3,
  /** Crashes that do not use up an attempt. Further ones do, so that a delivery that kills its worker ends, too. */
  freeTakeovers: 3,

  lanesOfPick: 64,
  turnsAtOnce: 8,
  /** Venues whose turns one statement reads. */
  turnsTogether: 16,
  /** Statements that take deliveries, at once, and the venues of each. */
  leasesAtOnce: 2,
  venuesOfLease: 64,
  /** Other workers leave a picked lane alone for this long; after a crash it comes back. */
  laneHeldMs: 5_000,
  /**
   * The lane of a venue whose API is blocked is checked again after this long, even if nothing reports it open again.
   */
  shutLaneMs: 300_000,
  /**
   * A locked lane is retried after 4 ms, then after twice as long each time up to half a second, for some ten seconds
   * in total. By then the longest request's transaction is over.
   */
  hintPasses: 25,
  hintPauseLeastMs: 4,
  hintPauseMostMs: 500,
  /** Pauses after a pick that found nothing: short right after work, then longer. */
  pauseLeastMs: 25,
  pauseMostMs: 250,
  /** When a venue waits for a place, it is looked at again after this long at the latest. */
  fullProcessMs: 100,
  fullEndpointMs: 2_000,

  /** Results gather for this long, so that one venue's are written together. */
  gatherMs: 8,
  resultsOfBatch: 50,
  resultWritesAtOnce: 4,
  /** Venues whose results one statement writes. */
  venuesOfWrite: 32,
  /** Pause before failed writes of results or hints are retried. */
  writeAgainMs: 500,

  /** On SIGTERM: how long running attempts may take to finish, and the time after that to write their results. */
  stopTriesMs: 12_000,
  stopWritesMs: 3_000,

  sweepMs: 60_000,
  pruneMs: 3_600_000,
  rowsOfSweep: 1_000,
  dataKeptDays: limits.eventDataDays,
  logKeptDays: limits.eventsDays,

  /** Secrets and slugs kept in memory. */
  cached: 5_000,
} as const
