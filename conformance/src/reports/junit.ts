import type { Result } from '../run.ts'
import { escaped } from './markup.ts'
import { bySection, tally } from './tally.ts'

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

/** JUnit's XML, as CI systems read it: a suite for each section. */
export const junitReport = (results: readonly Result[]): string => {
  const suites = [...bySection(results)].map(([section, of]) => {
    const cases = of.map(testCase).join('')
    return `  <testsuite ${totals(section, of)}>\n${cases}  </testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${totals('Venue Data API', results)}>\n${suites.join('')}</testsuites>\n`
}

const totals = (name: string, results: readonly Result[]): string => {
  const { failed, notTried } = tally(results)
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
  return `name="${escaped(name)}" tests="${results.length}" failures="${failed}" errors="0" skipped="${notTried}" time="${time}"`
}

const testCase = (result: Result): string => {
  const { section, id, says, durationMs } = result
  const open = `    <testcase classname="${escaped(section)}" name="${escaped(`${id}: ${says}`)}" time="${seconds(durationMs)}"`
  const inside = outcomeOf(result)
  return inside === '' ? `${open}/>\n` : `${open}>${inside}</testcase>\n`
}

const outcomeOf = ({ because, failure }: Result): string => {
  if (because !== undefined) return `<skipped message="${escaped(because)}"/>`
  if (!failure) return ''
  const { expected, seen, request, requestId } = failure
  const text = `expected: ${expected}\nseen: ${seen}\nafter: ${request ?? 'nothing'}, request id ${requestId ?? 'none'}`
  return `<failure message="${escaped(`expected ${expected}`)}">${escaped(text)}</failure>`
}
