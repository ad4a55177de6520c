import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wholeMilliseconds } from '../../platform/kernel/time/moment.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import { readMoment } from '../../platform/kernel/time/written-time.ts'
import type { ObjectionKind } from '../../marketing/subscribers/import-objection.ts'
import type { Cells, DateOrder } from './fields.ts'
import { dateCell } from './read-cells.ts'

/** How other programs' lists say that somebody must not be emailed, and how our own do-not-email list does. */

/** What a status says about somebody: on the list, must not be emailed, or neither. */
export type StatedStatus = 'subscribed' | 'neither' | ObjectionKind

/** Status words by their beginning, in lower case, letters and digits only; the first match wins. */
const words: readonly (readonly [RegExp, StatedStatus])[] = [
  [/^unsub|^opt(?:ed)?out|^abgemeldet|^abbestellt|^desuscri|^desabonne/, 'unsubscribed'],
  [/^clean|^(?:hard)?bounce|^undeliver|^invalid/, 'bounced'],
  [/^(?:reportedas|markedas)?spam|^complain|^abuse|^junk/, 'spam_report'],
  [/^donot(?:e?mail|contact)|^suppress|^block|^blacklist|^staffremoval|^removed/, 'staff_removal'],
  [/^pending|^unconfirmed|^non|^not|^never|^inactive|^deleted|^archived|^(?:no|false|0)$/, 'neither'],
  [/^subscri|^active|^confirmed|^opt(?:ed)?in|^enabled|^aktiv|^abonn|^suscri|^(?:yes|true|1)$/, 'subscribed'],
]

const stated = (text: string): StatedStatus | undefined => {
  const word = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  return words.find(([begins]) => begins.test(word))?.[1]
}

/**
 * What a row of a list of subscribers says: by its status, otherwise by the column for unsubscribes or bounces.
 * Throws 400 for an unknown status, because it may say that somebody must not be emailed.
 */
export const statusOfRow = (cell: Cells): StatedStatus => {
  const status = cell('status')
  if (status === '') {
    return saysSo(cell('unsubscribedAt'))
      ? 'unsubscribed'
      : saysSo(cell('bouncedAt'))
        ? 'bounced'
        : 'subscribed'
  }
  const known = stated(status)
  if (!known) {
    throw badRequest(
      'The status is not recognized; use subscribed, unsubscribed, bounced, complained or pending.',
    )
  }
  return known
}

/** Some programs have yes or no where others have a date; anything but a no may be an objection. */
const saysSo = (text: string): boolean => text !== '' && !/^(?:n|no|false|0|-)$/i.test(text)

/**
 * Why an address is on a do-not-email list. It is recorded under any name: anything that is neither a bounce nor a
 * complaint was somebody's decision. Throws 400 if the row says they are subscribed: it is a different kind of file.
 */
export const reasonOfRow = (cell: Cells): Exclude<ObjectionKind, 'unsubscribed'> => {
  const reason = stated(cell('reason'))
  if (reason === 'subscribed')
    throw badRequest('This file has them as subscribed, so they can still be emailed.')
  return reason === 'bounced' || reason === 'spam_report' ? reason : 'staff_removal'
}

/**
 * When it was. A day without a time counts to its end at the venue, so that somebody who agreed and left on the same
 * day has left. An objection is recorded no matter what this cell says: anything unreadable is null, anything in the
 * future is now.
 */
export const objectionMoment = (
  text: string,
  order: DateOrder,
  zone: string,
  now: Temporal.Instant,
): Temporal.Instant | null => {
  const moment = readMoment(text) ?? endOfDay(text, order, zone)
  if (!moment) return null
  return wholeMilliseconds(Temporal.Instant.compare(moment, now) < 0 ? moment : now)
}

const endOfDay = (text: string, order: DateOrder, zone: string): Temporal.Instant | undefined => {
  try {
    const date = dateCell('The date', text, order)
    if (date === undefined) return undefined
    return momentWallReaches({ date: addDays(date, 1), time: '00:00' }, zone).subtract({ milliseconds: 1 })
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
