/** Every number in the contract, named with its unit. */
export const limits = {
  requestsPerMinute: 120,
  rateWindowSeconds: 60,

  /** Days before the end of a key at which its owner is told; within the first, every answer to it says when it ends. */
  keyExpiryToldDays: [14, 3, 1],
  /** Blocks of addresses to which a key may be bound. */
  keyAddresses: 20,
  keyNameCharacters: 100,
  /** How long a key that was replaced by itself may go on working. */
  keyOverlapHours: 72,
  /** How far back the use of keys can be asked for, and how far without a word. */
  usageDaysMost: 90,
  usageDaysDefault: 30,

  /** They take the locks of what they try. */
  dryRunsPerMinute: 20,

  bodyBytes: 65_536,
  webhookBodyBytes: 16_384,
  campaignBodyBytes: 1_048_576,
  jsonDepth: 32,
  /** Fields that one refusal names as wrong. */
  wrongFieldsMost: 20,

  listDefault: 25,
  listMost: 100,
  changesDefault: 100,
  changesMost: 1_000,
  /** How long an empty answer of the feed may be held. */
  changesWaitSeconds: 25,
  /** Calls that wait for changes at once; one more is answered at once. */
  waitersOfKey: 2,
  waitersOfProcess: 1_000,
  /** Changes that get their numbers in one transaction. */
  numberedAtOnce: 1_000,
  /** How long it is known of a record that it is gone. */
  tombstoneDays: 45,
  /** How long events are kept; their data for a week. */
  eventsDays: 30,
  eventDataDays: 7,
  /** Campaigns in one page of the feed: each may have two bodies of a megabyte. */
  campaignsOfPage: 20,
  retryAfterGatheringSeconds: 10,
  /** Up to so many records are counted for a list. */
  countMost: 10_000,
  /** Records that a page may look at for those that match its filters. */
  looksOfPage: 10_000,
  /** Records in one batch, their bytes, and those of all batches of a venue in an hour. */
  batchItems: 500,
  batchBytes: 1_048_576,
  batchItemsPerHour: 5_000,
  batchRefCharacters: 100,
  /** How long it is known what came of each. */
  batchResultsDays: 7,
  reservationFindMost: 10,
  guestFindMost: 1,
  phoneDigitsLeast: 7,

  /** Service dates in one answer about availability. */
  availabilityDays: 14,
  /** Times offered in the place of a refused one; a check gives so many unasked. */
  alternativesMost: 5,
  alternativesDefault: 3,
  /** How far away they are looked for at first, and how far where there are none. */
  alternativesDays: 3,
  alternativesFarDays: 14,
  /** A refusal that asked for them waits so long and no longer. */
  alternativesMs: 50,

  webhookEndpointsOfVenue: 10,
  hooksOfVenue: 100,
  eventsOfEndpoint: 100,
  webhookTestSeconds: 15,
  /** How long deliveries may be signed with an endpoint's secret before, too. */
  rotationHours: 168,
  /** Newest tries of an endpoint of which its rate of success is made. */
  triesOfRate: 1_000,
  /** Deliveries that wait for an endpoint are counted so far. */
  waitingCounted: 1_000,

  /** An endpoint's answer, from the first connect to the end of its body. */
  deliveryAnswerSeconds: 10,
  /** Waits between the end of a failed try and the next; the first try and one after each wait make nine. */
  deliveryWaitsMinutes: [1, 5, 15, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60],
  /** Nothing starts this long after the event happened. */
  deliveryHours: 48,
  /** Failures in a row after which an endpoint is switched off. */
  failuresToDisable: 20,
  /** Events of one venue that go out in a minute. */
  eventsPerMinute: 60,
  /** Those of them at most that version 1 did not begin with. */
  lateEventsPerMinute: 50,
  /** An endpoint hears at most once in so many seconds that changes are there. */
  doorbellSeconds: 15,
  /** Tries of a delivery that are shown with it. */
  attemptsShown: 100,
  /** Deliveries that one replay sends again, and how long an endpoint waits for the next replay. */
  replayMost: 10_000,
  replayEverySeconds: 60,
  /** Receivers refuse a signature whose `t` is further than this from their clock. */
  signatureSeconds: 300,

  idempotencyKeyCharacters: 200,
  idempotencyHours: 24,
  idempotencyClaimSeconds: 60,

  /** A campaign sent without a time waits so long, and can be stopped meanwhile. */
  sendHoldMinutes: 10,
  subjectCharacters: 200,
  campaignBodyCharacters: 1_048_576,
  /** HTML tags, or paragraphs where there are none; the longest newsletters have some thousands. */
  campaignBodyTags: 20_000,
  /** Merge tags, or what begins like one. Each is filled for each person; the most personal mails have some dozens. */
  campaignMergeTags: 1_000,
  /** A test goes to every test address while the caller waits; a cancel waits for mails that are on the wire. */
  campaignTestSeconds: 30,
  composeSeconds: 60,
  cancelSeconds: 60,

  /** Parts of an `and`, entries of a list and days back in a segment. */
  segmentParts: 8,
  segmentEntries: 50,
  segmentDays: 3_650,
  segmentVisits: 10_000,

  consentAheadSeconds: 60,
  requestSeconds: 8,
  retryAfterFaultSeconds: 2,

  /** Characters (code points) a text field may hold. */
  nameCharacters: 200,
  externalIdCharacters: 100,
  emailCharacters: 254,
  phoneCharacters: 50,
  notesCharacters: 4_000,
  shortTextCharacters: 200,
  timeCharacters: 40,
  tagCharacters: 60,
  /** Seats of one order of tickets. */
  seatsOfOrder: 500,
  /** How many free seats of a date are told; more are none of a caller's business. */
  seatsLeftShown: 20,
  /** Dates of events in one answer. */
  occurrencesMost: 500,

  /** Tags that one call adds to a subscriber, and that it takes away. */
  tagsOfCall: 50,
  statementCharacters: 2_000,
  urlCharacters: 2_000,
  titleCharacters: 500,

  /** Guests of one party at every door, whoever writes it down; no venue's rules allow more. */
  partyGuests: 10_000,

  /** The largest whole number an integer field of the database holds. */
  integerMost: 2_147_483_647,
} as const
