import type { Html } from '../../html/html.ts'
import { badRequest } from '../../kernel/refusal.ts'
import type { Form } from '../frame/page.ts'
import { type Hidden, hiddenFields } from './fields.ts'
import { idIn } from './time-words.ts'

/** Tables that one party may have. */
const mostTables = 20

/** The tables a form names, ids in one field or in several; undefined where it names none. */
export const tablesIn = (form: Form): readonly number[] | undefined => {
  const tables = tablesOf(form.all('tables').join(' '))
  return tables.length === 0 ? undefined : tables
}

/** The ids in "31 32", ascending. */
export const tablesOf = (text: string): readonly number[] => {
  const words = text.split(' ').filter((word) => word !== '')
  const ids = words.map(idIn).filter((id) => id !== undefined)
  if (ids.length < words.length || ids.length > mostTables) throw badRequest('There is no such table.')
  return [...new Set(ids)].toSorted((a, b) => a - b)
}

/** The tables that a form's button seats a party at; nothing where there are none. */
export const tablesField = (tables: readonly number[] = []): Html =>
  hiddenFields({ tables: tables.length === 0 ? undefined : tables.join(' ') })

/** Where an undone seating puts a party back: the tables it was to have, or none of them, and whether it may be moved. */
export type TablesBefore = { readonly tables: readonly number[]; readonly pinned: boolean }

/** As fields of the button that undoes it. */
export const beforeHidden = ({ tables, pinned }: TablesBefore): Hidden => ({
  before: tables.join(' ') || 'none',
  unpinned: pinned ? undefined : 'yes',
})

/** The same of a form; undefined where it does not say. */
export const beforeIn = (form: Form): TablesBefore | undefined => {
  const before = form.text('before')
  if (before === '') return undefined
  return { tables: before === 'none' ? [] : tablesOf(before), pinned: !form.has('unpinned') }
}
