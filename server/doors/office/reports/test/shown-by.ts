import type { Figures } from '@venue-data/contract/records/figures.ts'
import { defaultRules } from '../../../../book/rules/booking-rules.ts'
import type { CountedFigure } from '../../../../data/reports/figure-names.ts'
import type { Row } from '../../../../data/reports/in-words.ts'
import { type Shown, shownOf } from '../picture.ts'

export type Rows = Partial<
  Record<CountedFigure, readonly [key: Row['key'], n: number, d?: number, value?: number][]>
>

/** A report of some days, made of these rows; today is October 6, 2026. */
export const shownBy = (
  rows: Rows,
  { from = '2026-09-27', to = '2026-10-03', before = undefined as Rows | undefined } = {},
): Shown => {
  const figures = (of: Rows): Figures['figures'] =>
    Object.entries(of).map(([name, list]) => ({
      ...{ name: name as CountedFigure, definition: '', unit: '' as never },
      rows: list.map(([key, n, d, value]) => ({ key, n, d: d ?? null, value: value ?? n })),
    }))
  return shownOf(
    {
      ...{ from, to, timezone: 'UTC', currency: null, asOf: '2026-10-06T12:00:00.000Z' },
      ...{ sinceFilled: null, leftOut: 0, figures: figures(rows) },
      compared:
        before === undefined ? null : { from: '2026-09-20', to: '2026-09-26', figures: figures(before) },
    },
    {
      ...{ beforeWords: before === undefined ? undefined : 'the week before', today: '2026-10-06' },
      ...{
        firstWeekday: 1,
        period: {},
        noPastBefore: undefined,
        since: null,
        countingUntil: new Map(),
        rules: defaultRules,
        rulesVersion: '1',
        campaign: (id) => `Number ${id}`,
        keyName: (id) => `Key ${id}`,
      },
    },
  )
}
