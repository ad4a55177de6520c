/** The numbers of the contract and of the public and office pages, named with their unit. What a venue sets is in its settings; what a provider may send is with its callback; how long a row of a queue is leased, and the like, is with the queue. */
export const limits = {
  requestsPerMinute: 120,
  rateWindowSeconds: 60,

  /**
   * Days before a key's expiry at which its owner is notified; from the first on, every answer to the key says when it
   * expires.
   */
  keyExpiryToldDays: [14, 3, 1],
  /** Blocks of addresses a key may be restricted to. */
  keyAddresses: 20,
  keyNameCharacters: 100,
  /** How many hours a key may keep working after it replaced itself. */
  keyOverlapHours: 72,
  /** How far back usage can be read, and the default. */
  usageDaysMost: 90,
  usageDaysDefault: 30,

  /** Limited because they take the same locks as the writes they try. */
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
  /** Of a search: what is typed, how many are found, and the days of bookings. */
  searchCharactersLeast: 2,
  searchCharacters: 100,
  searchDefault: 10,
  searchMost: 25,
  searchDaysAhead: 14,
  searchDays: 31,
  /** Service dates of figures. */
  figuresDays: 400,
  /** Ids of a block of a digest, and the most blocks of an answer. */
  digestBlockIds: 1_000,
  digestBlocks: 200,
  /** Records of a digest that changed after its cursor; with more, the copy is too far behind to be compared. */
  digestChanged: 1_000,
  /** How long a call to the feed may wait for a change. */
  changesWaitSeconds: 25,
  /** Calls that may wait for changes at the same time; one more is answered immediately. */
  waitersOfKey: 2,
  waitersOfProcess: 1_000,
  /** Changes that get their numbers in one transaction. */
  numberedAtOnce: 1_000,
  /** How long deleted records are remembered. */
  tombstoneDays: 45,
  /** How long events are kept; their data for a week. */
  eventsDays: 30,
  eventDataDays: 7,
  /** Campaigns in one page of the feed: each may have two bodies of a megabyte. */
  campaignsOfPage: 20,
  retryAfterGatheringSeconds: 10,
  /** The highest exact count of a list's records. */
  countMost: 10_000,
  /** Records a page may examine to find those that match its filters. */
  looksOfPage: 10_000,
  /** Records in one batch, their bytes, and those of all batches of a venue in an hour. */
  batchItems: 500,
  batchBytes: 1_048_576,
  batchItemsPerHour: 5_000,
  batchRefCharacters: 100,
  /** How long the results are kept. */
  batchResultsDays: 7,
  reservationFindMost: 10,
  guestFindMost: 1,
  phoneDigitsLeast: 7,

  /** Service dates in one answer about availability. */
  availabilityDays: 14,
  /** Times offered instead of a refused one; the default is what a check returns. */
  alternativesMost: 5,
  alternativesDefault: 3,
  /** How many days away they are searched for, and how many if those have none. */
  alternativesDays: 3,
  alternativesFarDays: 14,
  /** How long a refusal waits for them at most. */
  alternativesMs: 50,

  /** How long a time is held for somebody about to book it, and how many holds a key may have at a time. */
  holdMinutes: 5,
  holdsOfKey: 6,
  holdIdCharacters: 100,
  experienceKeyCharacters: 40,
  /** How many payments that a key began may be open at a time, and how long ending one may take. */
  checkoutsOfKey: 20,
  expireSeconds: 15,

  /** How long what was chosen waits for the press that pays, how long the processor's page is open after it, and how long its answer is waited for. */
  checkoutMinutes: { made: 15, page: 31, grace: 2 },

  /** How large a party the guest pages offer: where the venue sets no largest party, and at most; larger ones call. */
  sizesUnlessSet: 12,
  sizesMost: 20,

  /** How long a table is held for a party that was paged at the door. */
  doorOfferMinutes: 15,

  webhookEndpointsOfVenue: 10,
  hooksOfVenue: 100,
  eventsOfEndpoint: 100,
  webhookTestSeconds: 15,
  /** How many hours deliveries may also be signed with an endpoint's previous secret. */
  rotationHours: 168,
  /** An endpoint's newest attempts from which its success rate is computed. */
  triesOfRate: 1_000,
  /** The highest exact count of an endpoint's waiting deliveries. */
  waitingCounted: 1_000,

  /** An endpoint's answer, from the first connect to the end of its body. */
  deliveryAnswerSeconds: 10,
  /** Waits between the end of a failed attempt and the next; the first attempt and one after each wait make nine. */
  deliveryWaitsMinutes: [1, 5, 15, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60],
  /** Nothing starts this long after the event happened. */
  deliveryHours: 48,
  /** Failures in a row after which an endpoint is switched off. */
  failuresToDisable: 20,
  /** Events of one venue that go out in a minute. */
  eventsPerMinute: 60,
  /** At most this many of them may be events added after version 1's beginning. */
  lateEventsPerMinute: 50,
  /** An endpoint gets at most one `changes.available` in this many seconds. */
  doorbellSeconds: 15,
  /** Attempts shown with a delivery. */
  attemptsShown: 100,
  /** Deliveries that one replay sends again, and how long an endpoint waits for the next replay. */
  replayMost: 10_000,
  replayEverySeconds: 60,
  /** Receivers refuse a signature whose `t` is further than this from their clock. */
  signatureSeconds: 300,

  idempotencyKeyCharacters: 200,
  idempotencyHours: 24,
  idempotencyClaimSeconds: 60,

  /** A campaign sent without a time waits this long, and can be stopped until then. */
  sendHoldMinutes: 10,
  subjectCharacters: 200,
  campaignBodyCharacters: 1_048_576,
  /** HTML tags, or paragraphs if it has no tags; the longest newsletters have a few thousand. */
  campaignBodyTags: 20_000,
  /**
   * Merge tags, or anything that begins like one. Each is filled in for each person; the most personal mails have a few
   * dozen.
   */
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
  /** Seats in one ticket order. */
  seatsOfOrder: 500,
  /** The most free seats shown for a date; callers need not know the exact number above that. */
  seatsLeftShown: 20,
  /** Dates of events in one answer. */
  occurrencesMost: 500,

  /** Tags that one call may add to a subscriber, and that it may remove. */
  tagsOfCall: 50,
  statementCharacters: 2_000,
  urlCharacters: 2_000,
  titleCharacters: 500,

  /** The largest party at every door; no venue's rules allow more. */
  partyGuests: 10_000,

  /** The largest file an owner can import, half a million rows or so, and a venue's files that can wait at a time. */
  importFileBytes: 64 * 1024 * 1024,
  importsWaiting: 10,

  /**
   * Forms that one network may send to a venue's guest pages in a window: enough for a family, a hotel lobby and a slow
   * typist, too few to fill an evening. After `guestFormsUnasked` forms that write something, each further one must answer a question.
   */
  guestFormsWindowMinutes: 10,
  guestFormsOfNetwork: 60,
  guestFormsUnasked: 3,

  /** The largest whole number an integer field of the database holds. */
  integerMost: 2_147_483_647,
} as const
