import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { limitRows } from './limits/limit-rows.ts'

/*
 * The reader of the rules document names fields as the document does ("closures[0].to"). Somebody filling in a form
 * sees the form's labels, and times as they write them.
 */

const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(limitRows.map(({ name, inSentence }) => [name, inSentence])),
  intervalMinutes: 'The slot',
  maxCovers: 'Guests per slot',
  maxParties: 'Parties per slot',
  slotStepMinutes: 'The minutes between times offered',
  upTo: '“Party of up to”',
  minutes: '“Minutes”',
  name: 'The name',
  opens: 'The opening time',
  closes: 'The closing time',
  lastArrival: 'The last arrival',
  seatings: 'A set seating',
  date: 'The date',
  serviceDate: 'The evening',
  from: '“From”',
  to: '“To”',
  publicNote: 'The note for guests',
  turnMinutes: 'The list of turn times',
  shortestStays: 'The list of shortest stays',
  guarantees: 'The list of cards and deposits',
  amountCents: 'The amount',
  freeUntilHours: 'The hours before',
  partyFrom: 'The least party',
  services: 'The services',
  experiences: 'The list of experiences',
  key: 'The name for programs',
  texts: 'The words in other languages',
  text: 'The text',
  weekdays: 'The weekdays',
  partyTo: 'The largest party',
  mostPerEvening: 'Parties an evening',
  feeCents: 'The fee',
  taxRate: 'The tax',
  keepCardDays: 'The days that a card is kept',
  letGoUnsecured: 'Whether bookings that were not secured are let go',
  periods: 'The list of services',
  specialDays: 'The list of special days',
  closures: 'The list of closed days',
  blocks: 'The list of blocks',
}

const path = new RegExp(
  String.raw`(?<![\w.])(?:\w+(?:\[\d+\])?\.)*(${Object.keys(labels).join('|')})(?:\[\d+\])?(?= (?:must|is|has) )`,
  'g',
)

/** The sentence with the form's labels. */
export const inFormWords = (sentence: string): string =>
  sentence
    .replaceAll(path, (whole, name: string) => labels[name] ?? whole)
    .replaceAll('a time written HH:MM, such as 19:00', `a time such as ${timeInWords('19:00')}`)
    .replaceAll(/\babove maxParty\b/g, 'above the largest')
    .replaceAll(/\bbelow partyFrom\b/g, 'below the least')
    .replaceAll(/\bbefore from\b/g, 'before “From”')
