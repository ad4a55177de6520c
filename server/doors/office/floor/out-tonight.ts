import { minuteInWords } from '../../../platform/kernel/time/in-words.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { endOfTonight, takeOutTonight, useAgainTonight } from '../../../book/rules/floor/out-tonight.ts'
import { type EveningTable, eveningFloor } from '../../../book/tables/reads.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { actorOf } from '../frame/actor.ts'
import type { PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { idOf } from '../parts/forms/fields.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { counted } from '../parts/pager.ts'
import { answerUndone, answerWith } from '../parts/press.ts'
import type { Undo } from '../parts/undo.ts'
import { bookAt } from '../today/book.ts'
import { type DayBook, eveningBack } from '../today/read-day.ts'

/** The press in the panel of a table that takes it out of order for tonight, or into use again. */
export const outTonightPart = (
  table: EveningTable,
  { rules, date, now }: DayBook,
  back: string,
): Html | undefined => {
  const endMinute = endOfTonight(rules, date, now)
  const isOut = table.off?.because === 'outage' && table.off.why === null
  if (endMinute === undefined || (table.off && !isOut)) return undefined
  return listForm(
    pathOf(table.id),
    { back },
    isOut
      ? html`<button name="do" value="use">Use again tonight</button>`
      : html`<button name="do" value="take" class="quiet">Out of order tonight</button>`,
    { look: 'steps' },
  )
}

const pathOf = (table: number | ':id') => `/office/tables/${table}/out-of-order` as const

const press = async (work: OfficeWork, { params, form, partOnly }: OfficeRequest): Promise<PageAnswer> => {
  const { db, venue } = work
  const now = work.now()
  const rules = await bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date)
  const date = serviceDateAt(rules, now)
  const id = idOf(params.id, 'table')
  const table = rules.floor?.tables.find((one) => one.id === id)
  if (!table) throw notFound('table')
  const back = eveningBack(form.text('back'))
  const place = { partOnly, where: back, list: () => bookAt(work, back) }
  const endMinute = endOfTonight(rules, date, now)
  if (endMinute === undefined) return answerUndone(place, 'Tonight’s service is over. Nothing was done.')
  const [out, actor] = [{ table, date, endMinute }, actorOf(work.me)]
  const undoBy = (what: 'take' | 'use'): Undo => ({
    to: pathOf(id),
    hidden: { back },
    press: ['do', what],
    id: `u${id}-out`,
  })
  if (form.text('do') === 'use')
    return (await useAgainTonight(work, actor, out))
      ? answerWith(place, `Table ${table.label} is in use again.`, { undo: undoBy('take') })
      : answerUndone(place, `Table ${table.label} was not taken out of order for tonight. Nothing was done.`)
  await takeOutTonight(work, actor, out)
  const { toMove } = await eveningFloor(work, date)
  const there = toMove.filter(({ tables }) => tables.includes(id)).length
  const moveWords = there === 0 ? '' : ` ${counted(there, 'booking')} to move.`
  const words = `Table ${table.label} is out of order until ${minuteInWords(endMinute)}.${moveWords}`
  return answerWith(place, words, { undo: undoBy('use') })
}

export const outTonightPages: readonly VenuePage[] = [
  {
    method: 'POST',
    path: pathOf(':id'),
    role: 'host',
    answer: (work, asked) => {
      if (!['take', 'use'].includes(asked.form.text('do')))
        throw badRequest('This button is unknown; reload the page.')
      return press(work, asked)
    },
  },
]
