import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import {
  dateOrNull,
  integerOrNull,
  momentOrNull,
  record,
  recordId,
  textOrNull,
  timeOrNull,
} from '../shapes.ts'

export const Occurrence = record(
  'Occurrence',
  'A date of an event, for which tickets can be ordered.',
  {
    id: 31,
    eventName: 'Burgundy Night',
    occurrenceTitle: 'Late seating',
    date: '2026-11-14',
    startTime: '20:30',
    priceCents: 9500,
    seatsLeft: 12,
    onSale: true,
    onlineFrom: null,
    onlineUntil: '2026-11-15T01:30:00.000Z',
  },
  {
    id: recordId('date'),
    eventName: textOrNull('Name of the event.'),
    occurrenceTitle: textOrNull('Which date or seating, if it has a name.'),
    date: dateOrNull('Date of the event.'),
    startTime: timeOrNull('Start of the event.'),
    priceCents: integerOrNull('Price of one seat before discounts, fees and tax, in cents.'),
    seatsLeft: integerOrNull(
      `Free seats; ${limits.seatsLeftShown} when there are ${limits.seatsLeftShown} or more.`,
    ),
    onSale: Type.Boolean({
      description:
        'Whether orders are accepted now: from `onlineFrom` until `onlineUntil`. It may still be sold out.',
      examples: [true],
    }),
    onlineFrom: momentOrNull('From when it is sold online; `null`: at once.'),
    onlineUntil: momentOrNull(
      'Until when it is sold online: until it begins, unless the venue says otherwise.',
    ),
  },
)
export type Occurrence = Static<typeof Occurrence>
