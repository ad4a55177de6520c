import type { Result } from '../run.ts'
import { tally } from './tally.ts'

const marks = { passed: 'passed   ', failed: 'FAILED   ', 'not tried': 'not tried' } as const

/** A result for people: one line, plus what was expected and seen if it failed. */
export const lines = ({ outcome, number, says, because, failure }: Result): string => {
  const line = `  ${marks[outcome]}  ${number.padEnd(5)} ${says}\n`
  if (failure) {
    const { expected, seen, request, requestId } = failure
    const last = request ? `      after     ${request}${requestId ? `, request id ${requestId}` : ''}\n` : ''
    return `${line}      expected  ${expected}\n      seen      ${seen}\n${last}`
  }
  return because ? `${line}      ${because}\n` : line
}

/** Writes the name of a section before its first line. */
export const withHeading = (write: (text: string) => unknown): ((section: string, text: string) => void) => {
  let last = ''
  return (section, text) => {
    if (section !== last) write(`${last === '' ? '' : '\n'}${section}\n`)
    last = section
    write(text)
  }
}

/** The last line: how many statements had which result, and which failed. */
export const summary = (results: readonly Result[]): string => {
  const { passed, failed, notTried } = tally(results)
  const broken = results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)
  const names = broken.length > 0 ? `\nfailed: ${broken.join(', ')}` : ''
  return `\n${passed} passed, ${failed} failed, ${notTried} not tried${names}\n`
}
