import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { bucketOf, limitsAt } from '../../../book/rules/placement.ts'
import { placeInBook } from '../../../book/rules/resolve-service.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { setSlotCovers } from '../../../book/rules/tonight.ts'
import { guestsRefusedAfter } from '../../../data/reports/demand/demand-reads.ts'
import { counted } from '../../../data/reports/in-words.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { shortDayInWords, minuteInWords, numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { badRequest, refuse } from '../../../platform/kernel/refusal.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { addressOf } from '../parts/pager.ts'
import { periodIn } from './period.ts'
import { home } from './shown-page.ts'
import { hiddenFields, wholeNumberIn } from '../parts/forms/fields.ts'

/*
 * What can be done about guests who were refused: a slot of a day to come takes more of them. It is the press of the
 * evening's own page (service/tonight-routes.ts), of a day that is not there yet.
 */

export const openMorePath = '/office/reports/open-more'

type Offer = {
  readonly serviceDate: LocalDate
  readonly fromMinute: number
  /** How long the slot is. */
  readonly minutes: number
  readonly cap: number
  readonly more: number
  /** Guests who were refused then. */
  readonly refused: number
}

/** Slots that are offered at a time, guests added at a press, and days looked ahead. */
const mostOffers = 3
const mostMore = 12
const daysAhead = 60

/** The slots of days to come whose cap refused the most guests, as long as nobody has set one for that day. */
export const openMorePart = async (
  { db, venue }: OfficeWork,
  rules: DocumentRules,
  today: LocalDate,
  shownPeriod: Record<string, string>,
): Promise<{ readonly all: Html; readonly first: Html } | undefined> => {
  const refused = await guestsRefusedAfter(db, venue.id, { after: today, days: daysAhead })
  const offers = new Map<string, Offer>()
  for (const { service_date: serviceDate, service_minute: serviceMinute, guests } of refused) {
    const place = placeInBook(rules, { serviceDate, serviceMinute })
    const slot = bucketOf(rules, place)
    const cap = slot && limitsAt(rules, place.period, slot).pacing.maxCovers
    if (!slot || cap === null || cap === undefined || isSet(rules, slot)) continue
    const key = `${serviceDate} ${slot.fromMinute}`
    const all = guests + (offers.get(key)?.refused ?? 0)
    offers.set(key, {
      ...{ serviceDate, fromMinute: slot.fromMinute, minutes: slot.toMinute - slot.fromMinute },
      ...{ cap, more: Math.min(mostMore, all), refused: all },
    })
  }
  const some = [...offers.values()].toSorted((a, b) => b.refused - a.refused).slice(0, mostOffers)
  const [first] = some
  if (!first) return undefined
  const formOf = ({ serviceDate, fromMinute, minutes, cap, more, refused: guests }: Offer): Html =>
    html`<form method="post" action="${openMorePath}">
          ${hiddenFields({ date: serviceDate, slot: fromMinute, seen: cap, covers: cap + more, ...shownPeriod })}
          <button>Open ${minuteInWords(fromMinute)} on ${shortDayInWords(serviceDate)} for ${counted(more, 'more guest')}</button>
          <span class="small soft">${numberInWords(cap)} → ${counted(cap + more, 'guest')} in these ${minutes} minutes; ${counted(guests, 'guest')} refused</span>
        </form>`
  return {
    first: formOf(first),
    all: html`<div class="press-only">
    <p class="small soft">On days to come, these times had no room for guests:</p>
    <div class="inline">${some.map(formOf)}</div>
  </div>`,
  }
}

const isSet = (
  { pacingExceptions }: Pick<DocumentRules, 'pacingExceptions'>,
  slot: Pick<Offer, 'serviceDate' | 'fromMinute'>,
): boolean =>
  pacingExceptions.some(
    ({ serviceDate, fromMinute }) => serviceDate === slot.serviceDate && fromMinute === slot.fromMinute,
  )

/** The press, and its undo, which takes the slot back to what its hours say. */
export const openMore = async (work: OfficeWork, form: Form): Promise<PageAnswer> => {
  const shownPeriod = periodIn(form)
  const back = `${addressOf(home, shownPeriod)}#refused`
  const serviceDate = readDate(form.text('date'))
  const fromMinute = wholeNumberIn(form.text('slot'))
  const seen = wholeNumberIn(form.text('seen'))
  const covers = form.text('covers') === 'usual' ? null : wholeNumberIn(form.text('covers'))
  if (serviceDate === undefined || fromMinute === undefined || covers === undefined || seen === undefined)
    throw badRequest('This form is incomplete; open the page again.')
  const slot = { serviceDate, fromMinute }
  const rules = await allBookingRules(work.db, work.venue.id)
  const { period } = placeInBook(rules, { serviceDate, serviceMinute: fromMinute })
  if (!period) throw badRequest('There is no longer a service at that time.')
  if (limitsAt(rules, period, slot).pacing.maxCovers !== seen)
    throw refuse('not-in-state', 'What that time takes was changed meanwhile; look at the report again.')
  await setSlotCovers(work, actorOf(work.me), slot, covers)
  const what = `${minuteInWords(fromMinute)} on ${shortDayInWords(serviceDate)}`
  return covers === null
    ? go(back, `${what} takes what it took before.`)
    : go(
        back,
        `${what} takes ${counted(covers, 'guest')} now: ${numberInWords(seen)} → ${numberInWords(covers)}.`,
        {
          to: openMorePath,
          fields: {
            ...{ date: serviceDate, slot: String(fromMinute) },
            ...{ seen: String(covers), covers: 'usual', ...shownPeriod },
          },
        },
      )
}
