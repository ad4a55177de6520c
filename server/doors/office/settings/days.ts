import { html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { minuteInWords } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import {
  type LocalDate,
  minuteOfDay,
  minutesPerDay,
  readTime,
} from '../../../platform/kernel/time/written-time.ts'
import { plannedPeriodsOn, resolveService } from '../../../book/rules/resolve-service.ts'
import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { noteOnBlock, staffNotesOfBlocks } from '../../../book/rules/replace-document.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { printBlock } from '../../../book/rules/rules-document.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import { type FormSeen, dayIn, orNull, typedIn } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { blocksCard, closuresCard, specialDayInWords, specialDaysCard } from './days-cards.ts'
import { refusePast, withEntry, withoutEntry } from './listed-entry.ts'
import { periodsOf } from './period-fields.ts'
import { saveRules } from './save-rules.ts'
import { inFormWords } from './mistake-words.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings'

/** Closures, special days and blocks. */
export const daysPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/days`,
    role: 'manager',
    answer: async ({ db, venue, now }) => {
      const { date: today } = wallTimeOf(now(), venue.timezone)
      const [rules, notes] = await Promise.all([
        allBookingRules(db, venue.id),
        staffNotesOfBlocks(db, venue.id),
      ])
      return page(
        'Days',
        html`${settingsHead(`${home}/days`)}
          <div class="stack">
            ${closuresCard(rules, today)} ${specialDaysCard(rules, today)} ${blocksCard(rules, today, notes)}
          </div>`,
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/special-days`,
    role: 'manager',
    answer: async (work, { form }) => {
      const date = dayIn(form, 'date', 'The date')
      refusePast(date, await serviceDateNow(work))
      return saveRules(work, form, {
        action: 'add a special day',
        done: 'Special day saved.',
        back: `${home}/days`,
        replaces: ({ specialDays }) => {
          const before = specialDays.find((one) => one.date === date)
          return (
            before && {
              name: before.name === null ? 'the special day of that date' : `“${before.name}”`,
              words: `Now planned: ${specialDayInWords(before)}.`,
            }
          )
        },
        edit: (document) => ({
          ...document,
          specialDays: [
            ...document.specialDays.filter((one) => one.date !== date),
            {
              date,
              ...(form.text('name').trim() !== '' && { name: form.text('name').trim() }),
              periods: periodsOf(form, []),
            },
          ],
        }),
      })
    },
    again: (work, { form }, { message }) => comesBack(work, 'special day', form, inFormWords(message)),
  },
  {
    method: 'POST',
    path: `${home}/special-days/remove`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'remove a special day',
        done: 'The day is back to its usual hours.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          specialDays: withoutEntry(document.specialDays, form.text('date'), ({ date }) => date),
        }),
      }),
    again: async (_work, _asked, { message }) => go(`${home}/days`, warning(message)),
  },
  {
    method: 'POST',
    path: `${home}/closures`,
    role: 'manager',
    answer: async (work, { form }) => {
      const from = dayIn(form, 'from', '“From”')
      const to = orNull(form, 'to') === null ? from : dayIn(form, 'to', '“To”')
      const today = await serviceDateNow(work)
      // Of days that are over it changes reports alone, for as long as a report may be: nobody enters rain before it falls.
      refusePast(to, addDays(today, -limits.figuresDays))
      return saveRules(work, form, {
        action: 'add a closure',
        done: to < today ? 'Closure saved. Reports leave these days out of averages now.' : 'Closure saved.',
        back: `${home}/days`,
        affected: {
          title: (count) => `${counted(count, 'booking')} on these days`,
          outcome: 'If you save, these bookings stay in the book; someone should contact the guests.',
        },
        edit: (document) => ({
          ...document,
          closures: withEntry(
            document.closures,
            { from, to, name: form.text('name').trim() },
            (closure) => closure.from === from && closure.to === to,
          ),
        }),
      })
    },
    again: (work, { form }, { message }) => comesBack(work, 'closure', form, inFormWords(message)),
  },
  {
    method: 'POST',
    path: `${home}/closures/remove`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'remove a closure',
        done: 'Closure removed.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          closures: withoutEntry(document.closures, form.text('closure')),
        }),
      }),
    again: async (_work, _asked, { message }) => go(`${home}/days`, warning(message)),
  },
  {
    method: 'POST',
    path: `${home}/blocks`,
    role: 'manager',
    answer: async (work, { form }) => {
      const note = form.text('staffNote').trim()
      const serviceDate = dayIn(form, 'serviceDate', 'The evening')
      refusePast(serviceDate, await serviceDateNow(work))
      const span = { serviceDate, from: form.text('from'), to: form.text('to') }
      refuseBackward(await allBookingRules(work.db, work.venue.id), span)
      const isSpan = (block: typeof span): boolean =>
        block.serviceDate === span.serviceDate && block.from === span.from && block.to === span.to
      const answer = await saveRules(work, form, {
        action: 'add a block',
        done: 'Block saved.',
        back: `${home}/days`,
        affected: {
          title: (count) => `${counted(count, 'booking')} in this block`,
          outcome:
            'If you save, these bookings stay in the book; the block only stops new ones. Contact the guests if you cannot seat them.',
        },
        edit: (document) => ({
          ...document,
          blocks: withEntry(
            document.blocks,
            { ...span, scope: form.text('scope'), publicNote: form.text('publicNote').trim() || null },
            (block) => isSpan(block) && block.scope === form.text('scope'),
          ),
        }),
      })
      if (answer.kind === 'go' && note !== '') {
        if (note.length > 500) throw badRequest('The staff note can have at most 500 characters.')
        const rules = await allBookingRules(work.db, work.venue.id)
        const made = rules.blocks.find((block) => isSpan(printBlock(block, rules)))
        if (made) await noteOnBlock(work.db, work.venue.id, made, note)
      }
      return answer
    },
    again: (work, { form }, { message }) => comesBack(work, 'block', form, inFormWords(message)),
  },
  {
    method: 'POST',
    path: `${home}/blocks/remove`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'remove a block',
        done: 'Block removed.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          blocks: withoutEntry(document.blocks, form.text('block')),
        }),
      }),
    again: async (_work, _asked, { message }) => go(`${home}/days`, warning(message)),
  },
]

/** The evening it still is at the venue: a late service belongs to the day it began. */
const serviceDateNow = async ({ db, venue, now }: OfficeWork): Promise<LocalDate> =>
  resolveService(await allBookingRules(db, venue.id), wallTimeOf(now(), venue.timezone)).serviceDate

/**
 * Refuses a block that ends before it begins. One may run past midnight, up to the end of the evening's last service:
 * "8 PM to 7 PM" would close the next day, too.
 */
const refuseBackward = (
  rules: DocumentRules,
  { serviceDate, from, to }: { readonly serviceDate: LocalDate; readonly from: string; readonly to: string },
): void => {
  const times = [readTime(from), readTime(to)] as const
  if (times[0] === undefined || times[1] === undefined) return
  const [start, end] = [minuteOfDay(times[0]), minuteOfDay(times[1])]
  if (end > start) return
  const close = Math.max(
    minutesPerDay,
    ...plannedPeriodsOn(rules, serviceDate).map(({ endMinute }) => endMinute),
  )
  if (end + minutesPerDay <= close && (end !== start || end === 0)) return
  throw badRequest(
    `“To” must be after “From”.${close > minutesPerDay ? ` The last service of that evening ends at ${minuteInWords(close)}.` : ''}`,
  )
}

/** A refused form, with what was typed; what is already planned is above it. */
const comesBack = async (
  { db, venue, now }: OfficeWork,
  what: 'closure' | 'special day' | 'block',
  form: Form,
  mistake: string,
): Promise<PageAnswer> => {
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const rules = await allBookingRules(db, venue.id)
  const sent: FormSeen = { typed: typedIn(form), mistake }
  const card = {
    closure: () => closuresCard(rules, today, sent),
    'special day': () => specialDaysCard(rules, today, sent),
    block: async () => blocksCard(rules, today, await staffNotesOfBlocks(db, venue.id), sent),
  }[what]
  return page('Days', html`${settingsHead(`${home}/days`)}${await card()}`)
}
