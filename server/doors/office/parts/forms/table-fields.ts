import type { Html } from '../../../../platform/html/html.ts'
import { badRequest } from '../../../../platform/kernel/refusal.ts'
import type { StaySeen } from '../../../../book/reservations/chosen-tables.ts'
import type { Form } from '../../frame/page.ts'
import { type Hidden, hiddenFields } from './fields.ts'
import { idIn } from '../time-words.ts'

/** Tables that one party may have. */
const mostTables = 20

/** The tables a form names, ids in one field or in several; undefined where it names none. */
export const tablesIn = (form: Form): readonly number[] | undefined =>
  stayOf(form.all('tables').join(' ')).tables

/** The tables a form names and the end of a short stay at them, as it showed it; a question about it names a new end. */
export const stayIn = (form: Form, named = form.all('tables').join(' ')): StaySeen => {
  const { tables, until } = stayOf(named)
  return { tables, until: momentIn(form.text('until')) ?? until }
}

/** The same of a text such as `31 32@2026-10-07T00:00:00Z`. */
const stayOf = (text: string): StaySeen => {
  const tables = tablesOf(text.replaceAll(/@\S*/g, ' '))
  return {
    tables: tables.length === 0 ? undefined : tables,
    until: momentIn(/@(\S+)/.exec(text)?.[1] ?? ''),
  }
}

/** The end of a stay, as a form showed it. */
export const momentIn = (text: string): Temporal.Instant | undefined => {
  if (text === '') return undefined
  try {
    return Temporal.Instant.from(text)
  } catch {
    throw badRequest('This form is incomplete; open the page again.')
  }
}

/** Tables with the end of a short stay at them, as the value of a field. */
export const tablesUntil = (tables: readonly number[], until: Temporal.Instant | undefined): string =>
  `${tables.join(' ')}${until ? `@${until.toString()}` : ''}`

/** The ids in "31 32", ascending. */
export const tablesOf = (text: string): readonly number[] => {
  const words = text.split(' ').filter((word) => word !== '')
  const ids = words.map(idIn).filter((id) => id !== undefined)
  if (ids.length < words.length || ids.length > mostTables) throw badRequest('There is no such table.')
  return [...new Set(ids)].toSorted((a, b) => a - b)
}

/** The tables that a form's button seats a party at, and until when; nothing if there are no tables. */
export const tablesField = (tables: readonly number[] = [], until?: Temporal.Instant): Html =>
  hiddenFields({ tables: tables.length === 0 ? undefined : tablesUntil(tables, until) })

/** The press that an Undo takes back, by its rows of the activity log, as a field of its button. */
export const pressHidden = (press: readonly number[] | undefined): Hidden => ({
  press: press?.join(' '),
})

/** A press is one row of the activity log, or an edit and the tables chosen with it. */
const mostRows = 4

/** The same of a form; undefined where it does not say. */
export const pressIn = (form: Form): readonly number[] | undefined => {
  const words = form
    .text('press')
    .split(' ')
    .filter((word) => word !== '')
  const ids = words.map(idIn).filter((id) => id !== undefined)
  if (ids.length < words.length || ids.length > mostRows)
    throw badRequest('This form is incomplete; open the page again.')
  return ids.length === 0 ? undefined : ids
}
