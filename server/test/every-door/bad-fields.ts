import { limits } from '@venue-data/contract/limits.ts'
import { sampleBodyAt } from './samples.ts'

/*
 * What cannot be read, field by field, of every endpoint that takes a body of fields: each is put into the body that the
 * contract shows.
 */

const notText = [5, 0, true, false, [], {}, ['Maya'], { text: 'Maya' }, 1.5]
export const notEmail = [
  'maya',
  'maya@',
  '@example.com',
  'maya@example',
  'maya@@example.com',
  'maya okafor@example.com',
  'maya@exam ple.com',
  'maya@example.com, ben@example.com',
  '"maya"@example.com',
  'Maya <maya@example.com>',
  'maya@example.com\nbcc: x@example.com',
  'maya@-example.com',
  'maya@example..com',
  'maya@example.123',
  `${'m'.repeat(65)}@example.com`,
  `maya@${'example.'.repeat(40)}com`,
  'maya\u200b@example.com',
  '   ',
]
export const notDate = [
  '2026-2-1',
  '20260201',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-10-00',
  '2025-02-29',
  '0000-01-01',
  '26-10-09',
  '2026-10-09T19:00',
  '2026-10-09 ',
  ' 2026-10-09',
  '+002026-10-09',
  '-002026-10-09',
  '2026/10/09',
  '09.10.2026',
  'tomorrow',
  '2026-10-09[u-ca=japanese]',
  '２０２６-10-09',
  '10000-01-01',
]
export const notTime = [
  '7',
  '19',
  '24:00',
  'midnight',
  '13pm',
  '0:30am',
  '0pm',
  '19:00 PM',
  '19:60',
  '25:00',
  '19:00Z',
  '19:00+02:00',
  '19:00 EST',
  '7:00 xm',
  '7 pm 30',
  'evening',
  '2026-10-09T19:00',
  '-7:00',
  '19:0',
  '1900:00',
  '19:00:61',
  '７pmm',
]
export const notMoment = [
  '2026-10-06',
  '2026-10-06T15:00:00',
  '2026-10-06T15:00:00 Europe/Paris',
  '2026-10-06T15:00:00[Europe/Paris]',
  '2026-02-30T15:00:00Z',
  '2026-10-06T24:30:00Z',
  '2026-10-06T15:60:00Z',
  '1760000000',
  'Tue, 06 Oct 2026 15:00:00 GMT',
  '2026-10-06T15Z',
  '20261006T150000Z',
  '+002026-10-06T15:00:00Z',
  '0000-10-06T15:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '2026-10-06T15:00:00.1234567890Z',
  'now',
]
const anItem = (_?: unknown, i = 0) => ({ ref: `${i}`, body: { title: 'Call Maya' } })
const tooLong = (characters: number): string => '👍'.repeat(characters + 1)

/** Ids that no record may have; version 1's addresses ignore them, as they did before they knew the field. */
export const notExternalId = [
  ...notText,
  '4242424242424242',
  'card:5555-5555-5555-4444',
  'pi_3MtwBwLkdIwHu7',
  ' ',
  'a b',
  'tab\there',
  'line\nbreak',
  '\u00a0',
  '\u200b',
  tooLong(limits.externalIdCharacters),
  'x'.repeat(limits.externalIdCharacters + 1),
]

const notSize = ['4', 'four', 0, -1, 2.5, 0.1, true, [4], {}, limits.partyGuests + 1, 1e300, 2 ** 53]
const notWhen: readonly [field: string, values: readonly unknown[], said?: RegExp][] = [
  ['date', [5, true, [], {}, 20261009]],
  ['date', notDate, /date/],
  ['date', [undefined, null, ''], /date is missing/],
  ['time', [19, 1900, true, [], {}]],
  ['time', notTime, /time/],
  ['time', [undefined, null, ''], /time is missing/],
  ['startsAt', [5, 1760000000, true, [], {}]],
  ['startsAt', notMoment, /zone/],
  ['startsAt', ['2026-10-09T19:01:00-04:00', '2026-10-10T19:00:00-04:00'], /say otherwise/],
]
export const notHold = [...notText, tooLong(limits.holdIdCharacters)]

/** Field (with a dot inside `consent`), the values it cannot have, and what the sentence says besides the field. */
type Bad = readonly [field: string, values: readonly unknown[], said?: RegExp]

export const bad: Readonly<Record<string, readonly Bad[]>> = {
  '/api/v1/reservations': [
    ['guestName', [undefined, null, ''], /is required/],
    ['guestName', [' ', '\t\n', '\u00a0\u3000'], /more than blanks/],
    ['guestName', notText],
    [
      'guestName',
      [tooLong(limits.nameCharacters), `e${'\u0301'.repeat(limits.nameCharacters)}`],
      /at most 200/,
    ],
    ['partySize', [undefined, null, ''], /is required/],
    ['partySize', notSize, /a whole number from 1 to 10000/],
    ['email', [...notText, ...notEmail]],
    ['phone', [...notText, tooLong(limits.phoneCharacters)]],
    ['notes', [...notText, tooLong(limits.notesCharacters)]],
    ...notWhen,
  ],
  '/api/v1/holds': [
    ['partySize', [undefined, null, ''], /is required/],
    ['partySize', notSize, /a whole number from 1 to 10000/],
    ['holdId', notHold],
    ...notWhen,
  ],
  '/api/v1/guests': [
    ['name', [...notText, tooLong(limits.nameCharacters)]],
    ['email', [...notText, ...notEmail]],
    ['email', [undefined, null, ''], /Send an email, or a phone with at least 7 digits/],
    ['phone', [...notText, tooLong(limits.phoneCharacters)]],
    ['notes', [...notText, tooLong(limits.notesCharacters)]],
  ],
  '/api/v1/subscribers': [
    ['email', [undefined, null, ''], /is required/],
    ['email', [...notText, ...notEmail]],
    ['firstName', [...notText, tooLong(limits.nameCharacters)]],
    ['tag', [...notText, tooLong(limits.tagCharacters), ' ', '\n']],
    ['consent', [undefined, null, ''], /is required/],
    ['consent', ['yes', true, 1, [], [{ source: 'x' }]], /an object/],
    ['consent', [{}, { statement: 'x' }, { source: null }, { source: '' }], /consent\.source is required/],
    ['consent.source', [...notText, ' ', tooLong(limits.shortTextCharacters)]],
    ['consent.statement', [...notText, tooLong(limits.statementCharacters)]],
    ['consent.pageUrl', [...notText, tooLong(limits.urlCharacters)]],
    ['consent.at', [5, 1760000000, true, {}, []]],
    ['consent.at', notMoment, /zone/],
    [
      'consent.at',
      ['2026-10-06T19:01:00.001Z', '2027-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
      /not be in the future/,
    ],
  ],
  '/api/v1/leads': [
    ['name', [undefined, null, ''], /is required/],
    ['name', [...notText, '  ', tooLong(limits.nameCharacters)]],
    ['email', [...notText, ...notEmail]],
    ['phone', [...notText, tooLong(limits.phoneCharacters)]],
    ['eventName', [...notText, tooLong(limits.shortTextCharacters)]],
    ['occasion', [...notText, tooLong(limits.shortTextCharacters)]],
    ['eventDate', [...notDate, ...notText]],
    ['guestCount', [40, ...notText, tooLong(limits.shortTextCharacters)]],
    ['budgetPerPerson', [120, ...notText, tooLong(limits.shortTextCharacters)]],
    ['concept', [...notText, tooLong(limits.shortTextCharacters)]],
    ['priority', notText],
    ['priority', ['Urgent', 'highest', 'H', '1', ' '], /one of High, Medium, Low/],
    ['notes', [...notText, tooLong(limits.notesCharacters)]],
  ],
  '/api/v1/tasks': [
    ['title', [undefined, null, ''], /is required/],
    ['title', [...notText, ' ', tooLong(limits.titleCharacters)]],
    ['due', [...notDate, ...notText], /a real date|text/],
    ['priority', notText],
    ['priority', ['Urgent', 'none'], /one of High, Medium, Low/],
    ['category', [...notText, tooLong(limits.shortTextCharacters)]],
    ['client', [...notText, tooLong(limits.shortTextCharacters)]],
    ['assignedRole', [...notText, 'chef'], /text|one of host, manager, owner/],
  ],
  '/api/v1/ticket-orders': [
    ['occurrenceId', [undefined, null, ''], /is required/],
    ['occurrenceId', ['1', 0, -1, 1.5, 2 ** 53, 1e300, true, [], {}], /a whole number from 1/],
    ['seats', [undefined, null, ''], /is required/],
    ['seats', ['2', 0, -1, 1.5, limits.seatsOfOrder + 1, true, [], {}], /a whole number from 1 to 500/],
    ['buyerEmail', [undefined, null, ''], /is required/],
    ['buyerEmail', [...notText, ...notEmail]],
    ['buyerFirstName', [...notText, tooLong(limits.nameCharacters)]],
    ['buyerLastName', [...notText, tooLong(limits.nameCharacters)]],
    ['buyerPhone', [...notText, tooLong(limits.phoneCharacters)]],
    ['promoCode', [...notText, tooLong(limits.shortTextCharacters)]],
    ['externalReference', [undefined, null, ''], /is required/],
    ['externalReference', notExternalId, /visible characters|text|at most 100/],
  ],
  '/api/v1/checkouts': [
    ['occurrenceId', ['1', 0, -1, 1.5, 2 ** 53, 1e300, true, [], {}], /a whole number from 1/],
    ['occurrenceId', [undefined, null, ''], /Send occurrenceId for tickets/],
    ['seats', [undefined, null, ''], /is required/],
    ['seats', ['2', 0, -1, 1.5, limits.seatsOfOrder + 1, true, [], {}], /a whole number from 1 to 500/],
    ['buyerEmail', [undefined, null, ''], /is required/],
    ['buyerEmail', [...notText, ...notEmail]],
    ['buyerFirstName', [...notText, tooLong(limits.nameCharacters)]],
    ['buyerLastName', [...notText, tooLong(limits.nameCharacters)]],
    ['buyerPhone', [...notText, tooLong(limits.phoneCharacters)]],
    ['promoCode', [...notText, tooLong(limits.shortTextCharacters)]],
    ['hold', notText],
    ['partySize', notSize, /a whole number from 1 to 10000/],
    ['guestName', [...notText, tooLong(limits.nameCharacters)]],
    ['email', [...notText, ...notEmail]],
    ['phone', [...notText, tooLong(limits.phoneCharacters)]],
    ['notes', [...notText, tooLong(limits.notesCharacters)]],
    ['returnUrl', [undefined, null, ''], /is required/],
    ['returnUrl', [...notText, tooLong(limits.urlCharacters)]],
    [
      'returnUrl',
      ['thanks', 'http://www.example.com/', 'javascript:alert(1)', 'https://a:b@www.example.com/'],
    ],
    ['returnUrl', ['https://evil.example/'], /is not on the list of this venue/],
  ],
  '/api/v1/subscribers/unsubscribe': [
    ['email', [undefined, null, ''], /is required/],
    ['email', notEmail],
    ['reason', [...notText, tooLong(limits.shortTextCharacters)]],
  ],
  '/api/v1/batches': [
    ['kind', [undefined, null, ''], /is required/],
    ['kind', notText],
    ['kind', ['reservation', 'guests', ' '], /one of guest, subscriber, lead, task/],
    ['mode', [undefined, null, ''], /is required/],
    ['mode', notText],
    ['mode', ['try', 'dry'], /one of check, write/],
    ['items', [undefined, null, ''], /is required/],
    ['items', ['a', 1, true, {}, [], Array.from({ length: 501 }, anItem)], /a list of 1 to 500 entries/],
    ['items', [['a'], [5], [null], [[]]], /an object/],
    ['items', [[{ ref: 'a' }], [{ body: {} }]], /is required/],
    ['items', notText.map((ref) => [{ ref, body: {} }]), /ref must be text/],
    ['items', [[{ ref: ' ', body: {} }]], /ref must be more than blanks/],
    [
      'items',
      [[{ ref: tooLong(limits.batchRefCharacters), body: {} }]],
      /ref must be at most 100 characters/,
    ],
    ['items', [5, 'a', null, []].map((body) => [{ ref: 'a', body }]), /body must be an object/],
    ['items', [[anItem(), anItem()]], /is there twice/],
  ],
  '/api/v1/waitlist': [
    ['externalId', notExternalId, /visible characters|text|at most 100/],
    ['guestName', [undefined, null, ''], /is required/],
    ['guestName', [...notText, ' ', tooLong(limits.nameCharacters)]],
    ['partySize', [undefined, null, ''], /is required/],
    ['partySize', [0, -1, 1.5, 10_001, '2', true, [], {}]],
    ['email', notEmail],
    ['phone', [...notText, tooLong(limits.phoneCharacters)]],
    ['date', [...notDate, ...notText], /a real date|text/],
    ['requestedTime', ['25:00', 'late', '19:60'], /cannot be read/],
    ['windowStart', ['25:00', 'late'], /cannot be read/],
    ['windowEnd', ['25:00', 'late'], /cannot be read/],
    ['notes', [...notText, tooLong(limits.notesCharacters)]],
  ],
}

export const paths = Object.keys(bad)

/** A body that is taken: the contract's own, of a guest with one way to reach them, so that none can be left. */
export const goodAt = (path: string): object =>
  path === '/api/v1/guests' ? { ...sampleBodyAt(path), phone: undefined } : sampleBodyAt(path)

export const withField = (body: object, field: string, value: unknown): object => {
  const [name = '', inside] = field.split('.')
  if (inside === undefined) return { ...body, [name]: value }
  return { ...body, [name]: { ...(body as Record<string, object>)[name], [inside]: value } }
}
