import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import { type HoldId, isHoldId } from '../../../book/reservations/holds/hold-reads.ts'
import type { When } from '../../../book/day/when.ts'
import { originWord } from '../frame/origin.ts'
import { type Visit, doorPath, typed } from '../frame/visit.ts'
import { readSlot, sizesOf } from './booking-parts.ts'
import type { TakingVisit } from './taking.ts'

/* What an address or a form of `/v/{slug}/book` asks for. */

export type Asked = {
  /** The party's size as it is written there; '' where it is not. */
  readonly size: string
  /** The service date looked at; undefined: the first that has tables. */
  readonly date: LocalDate | undefined
  /** A day of the weeks looked at, where no day of them was chosen. */
  readonly from: LocalDate | undefined
  /** The hour of the service day that times are wanted around; after midnight it goes on with 24. */
  readonly around: number | undefined
  /** A time that the guest held before, and gives up for another. */
  readonly hold: HoldId | undefined
}

export const askedIn = ({ query }: Visit): Asked => askedBy((name) => query.get(name)?.trim() ?? '')

/** The same of a form with a time, whose day is looked at. */
export const askedByForm = (visit: Visit): Asked => {
  const [slotDay = ''] = typed(visit, 'slot').split(' ')
  return askedBy((name) => (name === 'date' ? slotDay || typed(visit, 'day') : typed(visit, name)))
}

const askedBy = (text: (name: string) => string): Asked => {
  const [around, hold] = [text('around'), text('hold')]
  return {
    size: text('size'),
    date: readDate(text('date')),
    from: readDate(text('from')),
    around: /^\d{1,2}$/.test(around) ? Number(around) : undefined,
    hold: isHoldId(hold) ? hold : undefined,
  }
}

/** The sizes that are taken now. */
export const sizesNow = ({ rules, venue, now }: TakingVisit): readonly number[] =>
  sizesOf(rules.around(wallTimeOf(now, venue.timezone).date))

/** The arrival that a form or an address names. */
export const whenIn = (visit: Visit, text: (name: string) => string): When | undefined =>
  readSlot(visit, text('day'), text('time'))

export const here = (visit: Visit, asked: Readonly<Record<string, string | number | undefined>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined && value !== '') query.set(name, String(value))
  query.set(originWord, visit.came('book'))
  return visit.link(`${doorPath(visit.venue, 'book')}?${query.toString()}`)
}
