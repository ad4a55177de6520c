import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { linesDrawn } from '../drawn/lines.ts'
import { counted, rowOf, share } from '../../../../data/reports/in-words.ts'
import { type Picture, type Shown } from '../picture.ts'

/** How much each key was used, and how its calls were answered. */
export const callsPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('calls')
  const keys = [...new Set(rows.map(({ key }) => Number(key['key'])))]
    .map((key) => {
      const of = (measure: string): number => rowOf(rows, { key, measure })?.n ?? 0
      return {
        name: shown.keyName(key),
        calls: of('calls'),
        well: of('2xx') + of('3xx'),
        refused: of('4xx'),
        tooMany: of('429'),
        failed: of('5xx'),
        delivered: of('delivered'),
        undelivered: of('failed'),
      }
    })
    .toSorted((a, b) => b.calls - a.calls)
  if (keys.length === 0) return undefined
  const sum = (which: Exclude<keyof (typeof keys)[number], 'name'>): number =>
    keys.reduce((all, one) => all + one[which], 0)
  const [calls, wrong] = [sum('calls'), sum('refused') + sum('tooMany') + sum('failed')]
  const tried = sum('delivered') + sum('undelivered')
  const sentence = `${counted(keys.length, 'key')} made ${counted(calls, 'call')}.${
    calls === 0
      ? ''
      : ` ${share(wrong, calls)} ${wrong === 1 && calls < 20 ? 'was' : 'were'} refused or failed.`
  }${tried === 0 ? '' : ` Of the deliveries, ${share(sum('undelivered'), tried)} failed.`}`
  return {
    ...{ id: 'integrations', title: 'Integrations', of: ['calls'], sentence, cases: counted(calls, 'call') },
    drawn: linesDrawn(
      [
        {
          lines: keys
            .slice(0, mostDrawn)
            .map((one) => ({ name: one.name, value: one.calls, words: numberInWords(one.calls) })),
        },
      ],
      sentence,
    ),
    columns: [
      { key: 'key', name: 'Key' },
      { key: 'calls', name: 'Calls' },
      { key: 'answered', name: 'Answered' },
      { key: 'refused', name: 'Refused' },
      { key: 'over_the_limit', name: 'Over the limit' },
      { key: 'errors', name: 'Errors' },
      { key: 'delivered', name: 'Delivered' },
      { key: 'not_delivered', name: 'Not delivered' },
    ],
    rows: keys.map((one) => [
      ...[
        one.name,
        one.calls,
        one.well,
        one.refused,
        one.tooMany,
        one.failed,
        one.delivered,
        one.undelivered,
      ],
    ]),
  }
}

const mostDrawn = 10
