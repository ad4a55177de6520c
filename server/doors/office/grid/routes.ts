import { html } from '../../../platform/html/html.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { nothing, page, part } from '../frame/page.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { minuteMark } from '../parts/each-minute.ts'
import { noSuchDay } from '../parts/no-such-day.ts'
import { gridPage, gridPart } from './grid.ts'
import { makeGridMove, refusedGridMove } from './move.ts'
import { readGrid } from './read-grid.ts'

/** The evening as a grid of tables and hours. */
export const gridPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: '/office/grid',
    role: 'host',
    answer: async (work, { query, partOnly }) => {
      // Asked for all evening by every screen: one small statement while nothing changes.
      if (partOnly && query.get('seen') === (await minuteMark(work))) return nothing
      const seen = await readGrid(work, readDate(query.get('date') ?? ''))
      if (!seen)
        return page(
          'Grid',
          html`<div class="page-head"><h1>Grid</h1></div>
            <p class="empty">Tables are off at this venue. A manager turns them on under Settings, Tables.</p>`,
        )
      return partOnly
        ? part(gridPart(seen))
        : {
            ...page('Grid', gridPage(seen, work.me.notices, noSuchDay(query))),
            saysBelow: true,
            sheet: 'grid',
          }
    },
  },
  {
    method: 'POST',
    path: '/office/grid/moves',
    role: 'host',
    answer: makeGridMove,
    again: refusedGridMove,
  },
]
