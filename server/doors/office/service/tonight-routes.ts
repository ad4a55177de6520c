import { useFormToken } from '../../../platform/http/form-token.ts'
import { minuteInWords } from '../../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { limitsAt } from '../../../book/rules/placement.ts'
import { openPeriodsOn } from '../../../book/rules/resolve-service.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { closeOnline, openOnline, setSlotCovers } from '../../../book/rules/tonight.ts'
import { actorOf } from '../frame/actor.ts'
import type { Form, PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { wholeNumberIn } from '../parts/forms/fields.ts'
import { answerWith } from '../parts/press.ts'
import type { Undo } from '../parts/undo.ts'
import { bookAt } from '../today/book.ts'
import { eveningBack } from '../today/read-day.ts'
import { type Span, mostMore, onlinePath, slotPath, spanText } from './tonight-forms.ts'

/** The presses of the forms in the pacing strip, and their undo. */
export const tonightPages: readonly VenuePage[] = [
  {
    method: 'POST',
    path: slotPath,
    role: 'host',
    answer: async (work, asked) => {
      const slot = slotIn(asked.form)
      const rules = await bookingRulesAround(work.db, work.venue, slot.serviceDate)
      const period = openPeriodsOn(rules, slot.serviceDate).find(
        ({ startMinute, endMinute }) => startMinute <= slot.fromMinute && slot.fromMinute < endMinute,
      )
      if (!period) throw badRequest('There is no longer a service at that time.')
      const cap = limitsAt(rules, period, slot).pacing.maxCovers
      const before = rules.pacingExceptions.find(
        ({ serviceDate, fromMinute }) => serviceDate === slot.serviceDate && fromMinute === slot.fromMinute,
      )
      const next = nextCap(asked.form, cap)
      const undoTo = (covers: string): Undo => ({
        to: slotPath,
        hidden: { back: eveningBack(asked.form.text('back')), date: slot.serviceDate, slot: slot.fromMinute },
        press: ['covers', covers],
      })
      const time = minuteInWords(slot.fromMinute)
      if (
        !asked.form.has('covers') &&
        !(await useFormToken(work.db, work.venue.id, 'slot', asked.form.text('token'), work.now()))
      ) {
        // Pressed twice: the slot takes the first press's covers already.
        const usual = limitsAt({ ...rules, pacingExceptions: [] }, period, slot).pacing.maxCovers
        const earlier = (cap ?? 0) - ((next ?? 0) - (cap ?? 0))
        const undo = undoTo(earlier === usual ? 'usual' : String(earlier))
        return told(work, asked, `${time} takes ${cap} covers tonight.`, { undo })
      }
      await setSlotCovers(work, actorOf(work.me), slot, next)
      const undo = undoTo(String(before?.maxCovers ?? 'usual'))
      return asked.form.has('covers')
        ? told(work, asked, `${time} is back to what it took before.`)
        : told(work, asked, `${time} takes ${next} covers tonight.`, { undo })
    },
    again: (work, asked, { message }) => told(work, asked, message, { tone: 'warn' }),
  },
  {
    method: 'POST',
    path: onlinePath,
    role: 'host',
    answer: async (work, asked) => {
      const span = spanIn(asked.form.text('span'))
      const closes = asked.form.text('do') === 'close'
      await (closes ? closeOnline : openOnline)(work, actorOf(work.me), span)
      const undo: Undo = {
        to: onlinePath,
        hidden: { back: eveningBack(asked.form.text('back')), span: spanText(span) },
        press: ['do', 'open'],
      }
      return closes
        ? told(
            work,
            asked,
            `Online bookings are closed until ${minuteInWords(span.toMinute)}; staff still book.`,
            { undo },
          )
        : told(work, asked, 'Online bookings are open again.')
    },
    again: (work, asked, { message }) => told(work, asked, message, { tone: 'warn' }),
  },
]

const spanIn = (text: string): Span => {
  const [date = '', from = '', to = ''] = text.split(' ')
  const serviceDate = readDate(date)
  const [fromMinute, toMinute] = [wholeNumberIn(from), wholeNumberIn(to)]
  if (serviceDate === undefined || fromMinute === undefined || toMinute === undefined) throw incomplete()
  return { serviceDate, fromMinute, toMinute }
}

const slotIn = (form: Form) => {
  const serviceDate = readDate(form.text('date'))
  const fromMinute = wholeNumberIn(form.text('slot'))
  if (serviceDate === undefined || fromMinute === undefined) throw incomplete()
  return { serviceDate, fromMinute }
}

const incomplete = () => badRequest('This form is incomplete; open the page again.')

/** So many more than now; or, to undo that, what was set before: a number, or `usual` for what the hours say. */
const nextCap = (form: Form, cap: number | null): number | null => {
  if (form.has('covers'))
    return form.text('covers') === 'usual' ? null : (wholeNumberIn(form.text('covers')) ?? null)
  const more = wholeNumberIn(form.text('more'))
  if (cap === null) throw badRequest('That slot has no limit to raise.')
  if (more === undefined || more < 1 || more > mostMore)
    throw badRequest(`Enter how many more covers: 1 to ${mostMore}.`)
  return cap + more
}

const told = (
  work: OfficeWork,
  { partOnly, form }: Pick<OfficeRequest, 'partOnly' | 'form'>,
  sentence: string,
  more: { readonly undo?: Undo; readonly tone?: 'good' | 'warn' } = {},
): Promise<PageAnswer> => {
  const where = eveningBack(form.text('back'))
  return answerWith({ partOnly, where, list: () => bookAt(work, where) }, sentence, more)
}
