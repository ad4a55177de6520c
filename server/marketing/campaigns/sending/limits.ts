/** Every number in sending, named with its unit. */
export const sendingLimits = {
  /** Copies claimed in one statement, and for how long: never longer in a buffer than this. */
  claimLeaseMs: 120_000,
  /** When a group has so few claimed copies left, more are claimed meanwhile. */
  claimAhead: 120,
  /** With more campaigns at once than this, few copies are claimed at a time. */
  campaignsToClaimFew: 50,

  /** Copies put on the wire by one committed statement. A killed process leaves this many per group unknown. */
  batch: 20,
  groups: 2,
  /** Longer than the longest wait for a final answer. */
  wireLeaseMs: 900_000,
  /** Batches a venue may send in a row while others wait. */
  batchesOfTurn: 3,

  /** How often a process looks for campaigns that are due, and counts that it lives. */
  lookMs: 1_000,
  beatMs: 2_000,
  /** A process that has not counted for this long is gone. */
  goneAfterMs: 8_000,
  campaignsOfLook: 1_000,
  /** A campaign that only waits for later attempts is checked every this many looks. */
  looksOfDry: 5,

  /** How often it is noted that the counters of a campaign have moved; never with each batch. */
  countersNotedSeconds: 10,

  /** A campaign that could not start within this many hours of its time is no longer sent. */
  missedAfterHours: 6,

  /** Relay trouble in a row before everything waits. */
  troublesToHold: 5,
  /**
   * Copies of a campaign permanently refused in a row, for any reason: then it waits, so that the list is not
   * burned.
   */
  refusalsToHold: 20,
  holdLeastSeconds: 30,
  holdMostSeconds: 900,
  /** A refused sender needs somebody to fix it. */
  senderHoldSeconds: 900,

  /** SIGTERM: how long copies on the wire may take to end. */
  stopMs: 12_000,
  /** Pause before results that could not be written are written again. */
  writeAgainMs: 500,
} as const
