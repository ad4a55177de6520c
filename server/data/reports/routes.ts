import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type FigureName, comparisons, figureNames } from '@venue-data/contract/records/figures.ts'
import type { Gate } from '../../platform/db/gate.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { scopeMissing } from '../../platform/http/refusals.ts'
import { dateAsked, onlyValue, wordAsked } from '../../platform/http/query-words.ts'
import { type Query, ok, route } from '../../platform/http/serve.ts'
import { inQuery } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { type FiguresAsked, countFigures } from './count-figures.ts'
import { lengthOf } from './days-to-count.ts'
import { definitions } from './definitions.ts'

export const reportRoutes = (gate: Gate) => [
  route(endpoints.figures, {
    read: ({ query, caller }) => readAsked(query, caller.key.scopes),
    answer: async (work, asked) => ok(await countFigures(work, gate, asked)),
  }),
]

const readAsked = (query: Query, scopes: readonly Scope[]): FiguresAsked => {
  const one = (name: string): string | undefined => onlyValue(name, query[name])
  // Comes before any 400.
  const mayRead = (name: FigureName): boolean => {
    const { needs } = definitions[name]
    return needs === undefined || scopes.includes(needs)
  }
  const words = one('names')?.split(',')
  const closed = figureNames.find((name) => words?.includes(name) && !mayRead(name))
  if (closed !== undefined) throw scopeMissing(definitions[closed].needs ?? 'reports:read')
  const [from, to] = [dateAsked('from', one('from')), dateAsked('to', one('to'))]
  if (to < from || lengthOf({ from, to }) > limits.figuresDays) {
    throw badRequest(
      `to must not be before from, and the two at most ${limits.figuresDays} days, both included.`,
      inQuery('to', 'out-of-range'),
    )
  }
  const compare = one('compare')
  return {
    ...{ from, to, names: words ? readNames(words) : figureNames.filter(mayRead) },
    compare: compare === undefined ? undefined : wordAsked('compare', compare, comparisons),
  }
}

const readNames = (words: readonly string[]): readonly FigureName[] => {
  const names = figureNames.filter((name) => words.includes(name))
  if (names.length !== words.length) {
    throw badRequest(
      `names must be different words out of ${figureNames.join(', ')}, separated by commas.`,
      inQuery('names', 'not-a-word'),
    )
  }
  return names
}
