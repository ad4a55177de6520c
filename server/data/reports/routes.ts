import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type FigureName, comparisons, figureNames } from '@venue-data/contract/records/figures.ts'
import type { Gate } from '../../platform/db/gate.ts'
import { dateAsked, onlyValue, wordAsked } from '../../platform/http/query-words.ts'
import { type Query, ok, route } from '../../platform/http/serve.ts'
import { inQuery } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { type FiguresAsked, countFigures, lengthOf } from './count-figures.ts'
import { isFigureName } from './definitions.ts'

export const reportRoutes = (gate: Gate) => [
  route(endpoints.figures, {
    read: ({ query }) => readAsked(query),
    answer: async (work, asked) => ok(await countFigures(work, gate, asked)),
  }),
]

const readAsked = (query: Query): FiguresAsked => {
  const one = (name: string): string | undefined => onlyValue(name, query[name])
  const [from, to] = [dateAsked('from', one('from')), dateAsked('to', one('to'))]
  if (to < from || lengthOf(from, to) > limits.figuresDays) {
    throw badRequest(
      `to must not be before from, and the two at most ${limits.figuresDays} days, both included.`,
      inQuery('to', 'out-of-range'),
    )
  }
  const compare = one('compare')
  return {
    ...{ from, to, names: readNames(one('names')) },
    compare: compare === undefined ? undefined : wordAsked('compare', compare, comparisons),
  }
}

const readNames = (text: string | undefined): readonly FigureName[] => {
  if (text === undefined) return figureNames
  const words = text.split(',')
  const names = words.filter(isFigureName)
  if (names.length !== words.length || new Set(words).size !== words.length) {
    throw badRequest(
      `names must be different words out of ${figureNames.join(', ')}, separated by commas.`,
      inQuery('names', 'not-a-word'),
    )
  }
  return figureNames.filter((name) => names.includes(name))
}
