import { notFound } from '../../../platform/kernel/refusal.ts'
import { html } from '../../../platform/html/html.ts'
import { type PageAnswer, go, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { idOf } from '../parts/forms/fields.ts'
import { eveningPage } from '../service/routes.ts'
import { rowPlaceOf } from '../today/book.ts'
import { bookQueryIn, eveningBack, readDay } from '../today/read-day.ts'
import { tableMode } from '../../../book/rules/floor/mode-reads.ts'
import { choose, pickTable } from './choose.ts'
import { namesOf, whoElseWords } from '../parts/open-words.ts'
import { turnsAt } from '../service/line-offers.ts'
import { tableAtDoor } from '../../../book/tables/offered/at-door.ts'
import { isFree } from './floor-list.ts'
import { pickForLine } from './pick-for-line.ts'
import { outTonightPages } from './out-tonight.ts'
import { tablePanel } from './table-panel.ts'

const oneTable = async (
  work: OfficeWork,
  { params, query, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const id = idOf(params.id, 'table')
  const back = eveningBack(query.get('back') ?? '/office/floor')
  const day = await readDay(work, bookQueryIn(back))
  const table = day.evening?.tables.find((one) => one.id === id)
  if (!table) throw notFound('table')
  const atDoor = isFree(table) ? await tableAtDoor(work, table) : undefined
  const neededBy = atDoor?.neededBy
  const needed =
    atDoor &&
    whoElseWords(
      { neededBy },
      turnsAt(day.offers?.turns ?? new Map(), { tables: [table] }),
      await namesOf(work, [neededBy?.reservation]),
    )
  const body = tablePanel(table, day, rowPlaceOf(work, day), { needed, shortFor: atDoor?.shortFor })
  if (partOnly) return part(body)
  return page(
    `Table ${table.label}`,
    html`<div class="page-head"><h1>Table ${table.label}</h1></div>
      <section class="card pick-page">${body}<a class="button" href="${back}">Back to the floor</a></section>`,
  )
}

const floorPage = eveningPage('/office/floor', 'Floor', 'floor')

/** Where parties sit, where tables decide. */
export const floorPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: '/office/floor',
    role: 'host',
    answer: async (work, asked) =>
      (await tableMode(work.db, work.venue.id)) === 'on' ? floorPage(work, asked) : go('/office/service'),
  },
  { method: 'GET', path: '/office/tables/:id', role: 'host', answer: oneTable },
  ...outTonightPages,
  { method: 'GET', path: '/office/bookings/:id/table', role: 'host', answer: pickTable },
  { method: 'POST', path: '/office/bookings/:id/table', role: 'host', answer: choose },
  { method: 'GET', path: '/office/waitlist/:id/table', role: 'host', answer: pickForLine },
]
