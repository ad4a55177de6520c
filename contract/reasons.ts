/**
 * Every reason code of version 1: the status it comes with, when it is given and a sample sentence; docs/reasons.md is
 * made from these rows. The list may grow within version 1; a client treats an unknown reason like its status.
 */
type ReasonEntry = {
  status: 402 | 403 | 409 | 410 | 412 | 428
  when: string
  sentence: string
  /** The booking rule that gives it, by the name that an answer has for it. */
  rule?: string
  /** The day it was added to version 1; absent: there from the beginning. */
  since?: string
}

/** In the order in which the booking rules are checked. */
export const bookingReasons = {
  'in-the-past': {
    rule: 'past',
    status: 409,
    when: 'The requested time has already passed at the venue.',
    sentence: 'It is already 19:42 on Tuesday 6 October at the venue, so 19:00 has passed.',
  },
  closed: {
    rule: 'closed-day',
    status: 409,
    when: 'The venue is closed that day; the sentence names the closure or the weekday, or says that the venue has not set its opening hours, which it does in the office under Settings, Hours.',
    sentence: 'The venue is closed on Thursday 26 November 2026 (Thanksgiving).',
  },
  'outside-hours': {
    rule: 'hours',
    status: 409,
    when: 'The venue is open that day, but not at that time.',
    sentence: 'On Wednesday 7 October the venue takes arrivals between 17:00 and 22:00.',
  },
  blocked: {
    rule: 'block',
    status: 409,
    when: 'The venue takes no bookings in a period that includes the requested time.',
    sentence: 'The venue takes no bookings between 18:00 and 19:30 on Thursday 8 October.',
  },
  'same-day-cutoff': {
    rule: 'same-day-cutoff',
    status: 409,
    when: 'Bookings for the current service date have closed for today.',
    sentence: 'Bookings for today closed at 16:00.',
  },
  'party-too-small': {
    rule: 'party-size',
    status: 409,
    when: 'The party is smaller than the service takes.',
    sentence: 'This service takes parties of 2 or more.',
  },
  'party-too-large': {
    rule: 'party-size',
    status: 409,
    when: 'The party is larger than can be booked this way.',
    sentence: 'The venue takes parties of up to 8 here; please call +1 212 555 0100.',
  },
  'too-short-notice': {
    rule: 'notice',
    status: 409,
    when: 'The requested time is nearer than the notice the venue needs.',
    sentence: "Bookings need at least 60 minutes' notice; the earliest time now is 19:00.",
  },
  'too-far-ahead': {
    rule: 'days-ahead',
    status: 409,
    when: 'The requested day is further ahead than the venue takes bookings.',
    sentence: 'Bookings open 60 days ahead; the last date now is Saturday 5 December 2026.',
  },
  'after-last-arrival': {
    rule: 'last-arrival',
    status: 409,
    when: 'The requested time is later than the last arrival of the service.',
    sentence: 'The last arrival on Wednesday 7 October is 21:00.',
  },
  'not-a-seating-time': {
    rule: 'seatings',
    status: 409,
    when: 'The service has set seating times and the requested time is not one of them.',
    sentence: 'On Sunday 11 October the seatings are 10:00, 12:00 and 13:30.',
  },
  'pacing-covers-full': {
    rule: 'pacing-covers',
    status: 409,
    when: 'The slot has reached the number of guests the venue takes.',
    sentence: 'There are only 2 places left at 19:00.',
  },
  'pacing-parties-full': {
    rule: 'pacing-parties',
    status: 409,
    when: 'The slot has reached the number of parties the venue takes.',
    sentence: '19:00 has no room for another party.',
  },
  'tables-full': {
    since: '2026-11-23',
    rule: 'tables',
    status: 409,
    when: 'The venue assigns tables, and none is free for a party of this size for as long as it stays.',
    sentence: 'There is no table for 6 at 19:00.',
  },
  'experience-full': {
    since: '2026-11-29',
    status: 409,
    when: 'The experience that goes with the table is not offered at that time to a party of this size, or as many parties have it that evening as may.',
    sentence: '“Chef’s counter” is fully booked on Friday 9 October.',
  },
} as const satisfies Record<string, ReasonEntry>

export const reasons = {
  ...bookingReasons,
  'outcome-unknown': {
    status: 409,
    when: "An earlier try with the same Idempotency-Key started more than a minute ago and never finished. Check the venue's data before sending changed details, or wait a day.",
    sentence: 'An earlier try with this Idempotency-Key never finished, so its outcome is unknown.',
  },
  'still-processing': {
    status: 409,
    when: 'The first request with the same Idempotency-Key is still being processed. Wait a few seconds and send the same request again.',
    sentence: 'The first request with this Idempotency-Key is still being processed; wait and send it again.',
  },
  'different-body': {
    status: 409,
    when: 'The Idempotency-Key was used with a different body, or the `externalReference` of a ticket order for another date, other seats or another buyer. Two requests share a key, which is a bug in the caller: stop.',
    sentence: 'This Idempotency-Key was already used with a different body; use a new key for a new request.',
  },
  'answer-erased': {
    since: '2026-11-23',
    status: 409,
    when: 'The request was already done, and a person it was about has been erased since. It is not done again, and its answer is gone. Stop, and delete your own copies.',
    sentence:
      'This request was done before, and its answer was erased with the person it was about; it is not done again.',
  },
  deleted: {
    status: 410,
    when: 'The record was deleted. Remembered for 45 days; afterwards it is 404.',
    sentence: 'This reservation was deleted.',
    since: '2026-11-23',
  },
  merged: {
    status: 410,
    when: 'The record was merged into another, whose id is in `mergedInto`. Remembered for 45 days; afterwards it is 404.',
    sentence: 'This guest was merged into another.',
    since: '2026-11-23',
  },
  erased: {
    status: 410,
    when: 'The person the record is about was erased: delete your copies of them. A record that is gone is remembered for 45 days; afterwards it is 404. One that is still there takes no personal data again; moves of its status go on.',
    sentence: 'This subscriber was erased.',
    since: '2026-11-23',
  },
  'api-key-required': {
    status: 403,
    when: "The key belongs to the automation platform; campaigns need a key of the venue's own software.",
    sentence: 'Campaigns need an API key with read and write access, not an automation-platform key.',
  },
  'address-not-allowed': {
    status: 403,
    when: "The key's owner restricted it to certain network addresses, and the request came from another. The sentence names the address that was seen.",
    sentence: 'This key may not be used from 203.0.113.9; its owner can allow that address.',
    since: '2026-11-23',
  },
  'rotation-off': {
    status: 403,
    when: 'The key may not replace itself; its owner can allow it, or replace it.',
    sentence: 'This key may not replace itself; its owner can allow it.',
    since: '2026-11-23',
  },
  'rotation-open': {
    status: 409,
    when: "The key, or the endpoint's secret, was replaced, and the one before still counts. Send `replace: true` to throw the new one away and get another, if its answer was lost.",
    sentence:
      'This key was replaced already and the one before still works; send replace: true to throw the new key away and get another.',
    since: '2026-11-23',
  },
  'rotate-first': {
    status: 409,
    when: "The endpoint's secret is of the old form, which libraries of Standard Webhooks cannot read. Rotate it, then add the signature.",
    sentence: 'This secret cannot make standard signatures; rotate it first.',
    since: '2026-11-23',
  },
  'endpoint-off-for-good': {
    status: 409,
    when: "The key that made the endpoint was revoked or has expired, or the venue's access was withdrawn, so nothing can be sent to it. The owner can extend an expired key; otherwise delete the endpoint and add it again.",
    sentence:
      'The key that made this endpoint is gone, so nothing is sent to it any more; delete it and add it again.',
    since: '2026-11-23',
  },
  'scope-missing': {
    status: 403,
    when: 'The key lacks the scope for this. The sentence says what is missing; the owner can allow it.',
    sentence: 'This key may not read tasks; its owner can allow it.',
    since: '2026-11-23',
  },
  'precondition-required': {
    status: 428,
    when: 'A change of fields has to name the version it means to change: send `If-Match` with the `ETag` you read, or `*`.',
    sentence: 'Send If-Match with the ETag you read, or * to write over whatever is there.',
    since: '2026-11-23',
  },
  'changed-meanwhile': {
    status: 412,
    when: 'The record has changed since the version named in `If-Match`. `current` is the record as it is now, and `ETag` its tag.',
    sentence: 'This reservation was changed meanwhile.',
    since: '2026-11-23',
  },
  'staff-only': {
    status: 403,
    when: 'The body has a field that a key cannot set, because staff or the service itself do; the sentence names it. Nothing was changed.',
    sentence: 'A key cannot set status.',
    since: '2026-11-23',
  },
  'unknown-stage': {
    status: 409,
    when: "The venue's pipeline has no such stage; `stages` lists those it has, in order.",
    sentence: 'The venue has no such stage; its stages are Inquiry, Proposal and Booked.',
    since: '2026-11-23',
  },
  'address-taken': {
    status: 409,
    when: 'Another guest has this email address. If the two are the same person, staff can merge them.',
    sentence: 'Another guest has this email; if they are the same person, merge them.',
    since: '2026-11-23',
  },
  'waitlist-closed': {
    status: 409,
    when: "The venue's waitlist takes nobody for that evening: it is over or too far ahead, or its last arrival has passed.",
    sentence: 'The last arrival today was 21:30, so the waitlist is closed.',
    since: '2026-11-23',
  },
  'not-in-state': {
    status: 409,
    when: 'This cannot be done in the current state of the record. The sentence names the state.',
    sentence: 'This party is no longer on the waitlist: it is booked.',
    since: '2026-11-23',
  },
  'too-late': {
    status: 409,
    when: 'The booked time has come; now the guest can only call the venue.',
    sentence: 'The booked time has come, so it can no longer be cancelled here; please call the venue.',
    since: '2026-11-23',
  },
  'change-pending': {
    status: 409,
    when: 'A change of this reservation is still waiting for an answer by the venue. Withdraw it first, or wait.',
    sentence: 'The venue has not yet answered the change to 20:00 on Friday 9 October, 5 guests.',
    since: '2026-11-23',
  },
  'no-dry-run': {
    status: 409,
    when: 'This call cannot be tried: it only reads, it sends something to somebody, it would tell the key what it may not see, or there is nothing at its address.',
    sentence: 'There is no dry run of this call.',
    since: '2026-11-23',
  },
  'batch-running': {
    status: 409,
    when: "Another of the venue's batches has not finished. `GET /api/v1/batches/{id}` shows its progress; a batch takes seconds.",
    sentence: 'Another batch of this venue is under way; wait until it has finished.',
    since: '2026-11-23',
  },
  'too-many-holds': {
    status: 409,
    when: 'The key holds 6 times already, or has 20 open checkouts. Book one, replace one (`holdId`), end one, or wait: a hold ends after 5 minutes. A request needs no hold.',
    sentence: 'This key holds 6 times already; a hold ends after 5 minutes.',
    since: '2026-11-23',
  },
  'seats-full': {
    status: 409,
    when: 'There are fewer seats left than the order has. The sentence says how many.',
    sentence: 'There are only 3 seats left.',
    since: '2026-11-23',
  },
  'sale-closed': {
    status: 409,
    when: 'Tickets of this date are not sold online now: not yet, or, once the event has begun or its day is over, at the door only. The sentence says which.',
    sentence: 'Tickets for Saturday 14 November 2026 are sold at the door only by now.',
    since: '2026-11-23',
  },
  'promo-code-invalid': {
    status: 409,
    when: 'The promotion code does not exist, or does not apply to this order. The sentence says why.',
    sentence: 'The code CELLAR10 has been used up.',
    since: '2026-11-23',
  },
  'payments-off': {
    status: 409,
    when: 'The venue takes no payments online: an owner connects them in the office under Settings, Payments.',
    sentence: 'This venue takes no payments online yet.',
    since: '2026-11-29',
  },
  'amount-too-small': {
    status: 409,
    when: 'The total is less than can be paid by card. The sentence names the least amount.',
    sentence: 'Less than $0.50 cannot be paid by card.',
    since: '2026-11-29',
  },
  'nothing-to-secure': {
    status: 409,
    when: 'There is nothing to pay: the tickets are free, or the venue asks for no card and no deposit at that time. Order the tickets, or request the reservation, without a checkout.',
    sentence: 'The venue asks for no card and no deposit at that time; request the reservation instead.',
    since: '2026-11-29',
  },
  'checkout-ended': {
    status: 409,
    when: 'The checkout was paid, so it does not expire. The sentence says what it is.',
    sentence: 'This checkout is completed.',
    since: '2026-11-29',
  },
  'refund-too-large': {
    status: 409,
    when: 'The amount is more than what was paid less earlier refunds and refund requests.',
    sentence: 'At most $95.94 can be refunded.',
    since: '2026-11-23',
  },
  'cursor-behind': {
    status: 409,
    when: 'More than 1,000 of these records have changed after the cursor, or the first copy is not complete. Read `/changes` on to its end first.',
    sentence: 'The copy is too far behind to be compared; read /changes on to its end first.',
    since: '2026-11-29',
  },
  'cursor-expired': {
    status: 410,
    when: "The cursor is older than what is remembered of deleted records, or than the events that are kept, or the venue's feed started over. `resync` is where to read from the beginning; of `/changes`, what does not come again is gone.",
    sentence:
      'This cursor is too old: what was deleted since is no longer known. Read /changes from the beginning and drop what does not come again.',
    since: '2026-11-23',
  },
  'cursor-of-another-venue': {
    status: 410,
    when: 'The cursor was given to a key of another venue, so the key or the stored cursor is the wrong one. Nothing was read. Stop, and drop nothing of your copy.',
    sentence:
      'This cursor belongs to another venue than this key. Nothing was read. Use the key of the venue whose copy this is, or start a new copy for this venue.',
    since: '2026-11-29',
  },
  'delivery-underway': {
    status: 409,
    when: 'The delivery is being sent right now. Wait for its result.',
    sentence: 'This delivery is on its way at this moment; wait for its result.',
    since: '2026-11-23',
  },
  'too-old': {
    status: 409,
    when: 'The event is more than 48 hours old and is not sent again. Read `GET /events`, or the records themselves.',
    sentence: 'Nothing is sent again more than 48 hours after it happened; read /events.',
    since: '2026-11-23',
  },
  'too-many': {
    status: 409,
    when: 'The replay would send more deliveries than a single replay may. Choose a shorter time, or fewer events.',
    sentence:
      'That would send more than 10000 deliveries again; ask for a shorter time, or for fewer events.',
    since: '2026-11-23',
  },
  'no-test-address': {
    status: 409,
    when: 'The venue has saved no address to send tests to.',
    sentence: 'The venue has no test address; save one in its settings first.',
  },
  'no-test-send': {
    status: 409,
    when: 'No test of the present content has reached the first test address.',
    sentence: 'Send a test first: no test of this content has reached the venue.',
  },
  'no-recipients': {
    status: 409,
    when: 'The list is empty or was not built.',
    sentence: 'There is nobody to send to; build the list first.',
  },
  'count-changed': {
    status: 409,
    when: '`confirmCount` differs from the present size of the list.',
    sentence: 'The list now has 1,178 people, not 1,180. Check it and send again.',
  },
  'plan-limit': {
    status: 402,
    when: "The send would exceed the month's included emails; the campaign stays as it was.",
    sentence: 'This would send 1,180 e-mails and the plan has 400 left this month.',
  },
  'checklist-blocked': {
    status: 409,
    when: 'Something on the pre-send checklist is wrong; `blockers` lists each with a code and a sentence.',
    sentence: 'This campaign cannot be sent yet: it has no postal address.',
  },
  'list-unreliable': {
    status: 409,
    when: 'Something the list rests on was missing or stale when it was built, or is when a confirmed list is to shrink.',
    sentence: 'The list cannot be relied on; build it again.',
  },
  'campaign-closed': {
    status: 409,
    when: 'The campaign is sent or cancelled.',
    sentence: 'This campaign was sent already.',
  },
  'already-sending': {
    status: 409,
    when: 'The campaign is scheduled or sending already.',
    sentence: 'This campaign is scheduled already.',
  },
} as const satisfies Record<string, ReasonEntry>

export type BookingReason = keyof typeof bookingReasons
type BookingReasonEntry = (typeof bookingReasons)[BookingReason]
export type BookingRuleName = Extract<BookingReasonEntry, { rule: string }>['rule']

/** The booking rules in the order in which they are checked. */
export const bookingRuleNames: readonly BookingRuleName[] = [
  ...new Set(
    Object.values<BookingReasonEntry>(bookingReasons).flatMap((entry) =>
      'rule' in entry ? [entry.rule] : [],
    ),
  ),
]
export type Reason = keyof typeof reasons

/** Whether a booking rule gave the reason. */
export const isBookingReason = (reason: Reason | undefined): reason is BookingReason =>
  reason !== undefined && Object.hasOwn(bookingReasons, reason)

/** The kinds of problem: the anchor in /docs/errors that `type` links to, and the `title`. */
export const problemTypes = {
  request: 'Unreadable request',
  body: 'Unreadable body',
  fields: 'Unreadable field',
  query: 'Unreadable query',
  headers: 'Unreadable header',
  contact: 'Nobody to look for',
  clocks: 'No such time on that day',
  key: 'Key not accepted',
  reach: 'Not for this key',
  venue: 'Venue without access',
  rate: 'Too many requests',
  address: 'Nothing here',
  record: 'No such record',
  method: 'Method not allowed',
} as const
export type ProblemType = keyof typeof problemTypes

/** Reasons that only the problem form has, which a caller requests by name in `Accept`: every 400 has one, and so does
 * every refusal that comes before the rules. In the plain form, which everybody else gets, version 1 gives these
 * refusals no reason.
 */
export const edgeReasons = {
  'request-unreadable': {
    status: 400,
    type: 'request',
    when: 'The request is not valid HTTP, its address cannot be read, or it did not arrive in time.',
    sentence: 'The request could not be read as HTTP.',
  },
  'body-missing': {
    status: 400,
    type: 'body',
    when: 'The body is missing.',
    sentence: 'The body must be a JSON object.',
  },
  'body-not-json': {
    status: 400,
    type: 'body',
    when: 'The body is not JSON.',
    sentence: 'The body is not valid JSON.',
  },
  'body-not-object': {
    status: 400,
    type: 'body',
    when: 'The body is JSON, but not an object.',
    sentence: 'The body must be a JSON object.',
  },
  'body-too-large': {
    status: 400,
    type: 'body',
    when: 'The body is larger than this endpoint accepts; 413 when creating a webhook endpoint.',
    sentence: 'The request is too large: its body may have at most 64 KB.',
  },
  'body-too-deep': {
    status: 400,
    type: 'body',
    when: 'The body is nested too deeply.',
    sentence: 'Field "a.b" is nested deeper than 32 levels.',
  },
  'body-encoding': {
    status: 400,
    type: 'body',
    when: 'The body is compressed, a form, or not in UTF-8.',
    sentence: 'The body must be JSON in UTF-8.',
  },
  'field-missing': {
    status: 400,
    type: 'fields',
    when: 'A required field is missing; `errors` has all wrong fields, this one first.',
    sentence: 'guestName is required.',
  },
  'field-invalid': {
    status: 400,
    type: 'fields',
    when: 'A field cannot be read; `errors` has all wrong fields, this one first.',
    sentence: 'partySize must be a whole number from 1 to 10000.',
  },
  'field-too-long': {
    status: 400,
    type: 'fields',
    when: 'A field has too many characters; `errors` has all wrong fields, this one first.',
    sentence: 'notes must be at most 4000 characters long.',
  },
  'field-conflict': {
    status: 400,
    type: 'fields',
    when: 'Two fields contradict each other.',
    sentence:
      'startsAt is 19:00 on 2026-10-09 at the venue, but the date and time sent with it say otherwise.',
  },
  'query-invalid': {
    status: 400,
    type: 'query',
    when: 'A query parameter is missing or cannot be read; `errors` has all wrong ones, this one first.',
    sentence: 'limit must be a whole number from 1 to 100.',
  },
  'query-repeated': {
    status: 400,
    type: 'query',
    when: 'A query parameter is given more than once.',
    sentence: 'limit can be given only once.',
  },
  'cursor-invalid': {
    status: 400,
    type: 'query',
    when: 'The text is not a cursor, or it belongs to other filters or another order.',
    sentence: 'after must be a cursor of this list, asked with the same filters and sort.',
  },
  'idempotency-key-invalid': {
    status: 400,
    type: 'headers',
    when: 'The Idempotency-Key is empty, too long, or contains spaces.',
    sentence: 'Idempotency-Key must be 1 to 200 visible characters without blanks.',
  },
  'header-invalid': {
    status: 400,
    type: 'headers',
    when: 'Another header cannot be read.',
    sentence: 'If-Match must be a tag as ETag gave it, or *.',
  },
  'clock-gap': {
    status: 400,
    type: 'clocks',
    when: "The venue's clocks go forward over that time on that day.",
    sentence: '02:30 does not exist on 14 March 2027 at the venue: the clocks go forward.',
  },
  'no-contact': {
    status: 400,
    type: 'contact',
    when: 'There is neither an email nor a usable phone number.',
    sentence: 'Send an email, or a phone with at least 7 digits.',
  },
  'unknown-key': {
    status: 401,
    type: 'key',
    when: 'The key is missing, unknown or revoked, or was sent in `Authorization`.',
    sentence:
      'Send a valid API key in the X-Service-Key header; this request has none, or one that is unknown or revoked.',
  },
  'venue-may-not': {
    status: 403,
    type: 'venue',
    when: 'The venue cannot use the API now because of its plan, its access or a pause.',
    sentence:
      'The venue cannot use the API now: its plan does not include it, its access is not approved, or its account is paused.',
  },
  'read-only-key': {
    status: 403,
    type: 'reach',
    when: 'The key is read-only.',
    sentence: 'This key is read-only; a read and write key is needed to change anything.',
  },
  'own-software-only': {
    status: 403,
    type: 'reach',
    when: 'The key belongs to the automation platform.',
    sentence: 'An automation-platform key cannot do this; an API key with read and write access can.',
  },
  'no-such-address': {
    status: 404,
    type: 'address',
    when: 'There is no such address.',
    sentence: 'There is nothing at this address.',
  },
  'no-such-record': {
    status: 404,
    type: 'record',
    when: 'There is no such record at this venue. The same goes for a record of another venue.',
    sentence: 'There is no such guest at this venue.',
  },
  'method-not-allowed': {
    status: 405,
    type: 'method',
    when: 'The address does not take this method; `Allow` names those it takes.',
    sentence: 'This address takes only GET and POST.',
  },
  'rate-limited': {
    status: 429,
    type: 'rate',
    when: 'The key made too many requests; `Retry-After` says when to continue.',
    sentence: 'This key has made more than 120 requests in a minute; try again in 37 seconds.',
  },
} as const satisfies Record<string, EdgeEntry>
type EdgeEntry = {
  status: 400 | 401 | 403 | 404 | 405 | 429
  type: ProblemType
  when: string
  sentence: string
}
export type EdgeReason = keyof typeof edgeReasons

/** What is wrong with one field, parameter or header of a request, in `errors` of a problem. */
export const faults = {
  missing: 'it is needed and not there',
  'not-text': 'not text, or text that cannot be kept',
  'not-an-integer': 'not a whole number',
  'not-an-object': 'not an object',
  'not-a-list': 'not a list of so many entries',
  'out-of-range': 'beyond what is possible here',
  'too-long': 'too many characters',
  blank: 'nothing but spaces',
  repeated: 'given more than once',
  'not-a-date': 'no real date, written YYYY-MM-DD',
  'not-a-time': 'no time of day',
  'not-a-moment': 'no date and time with a zone',
  'not-an-email': 'no email address',
  'not-an-address': 'no address that we send to',
  'not-an-id': 'no id of a record',
  'not-a-word': 'none of the words that are possible here',
  'not-here': 'not possible in this place',
} as const
export type Fault = keyof typeof faults
