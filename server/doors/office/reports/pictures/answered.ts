import { counted, outOf, rowOf } from '../../../../data/reports/in-words.ts'
import type { Picture, Shown } from '../picture.ts'

/** How long requests waited for an answer. */
export const answeredPicture = (shown: Shown): Picture => {
  const rows = shown.rows('answered')
  const [minutes, declined, unanswered] = ['minutes', 'declined', 'unanswered'].map((measure) =>
    rowOf(rows, { measure }),
  )
  const cases = minutes?.d ?? 0
  const before = rowOf(shown.before('answered'), { measure: 'minutes' })
  const waiting = unanswered?.n ?? 0
  const [n, d] = [declined?.n ?? 0, declined?.d ?? 0]
  const sentence =
    cases === 0 && waiting === 0
      ? 'There were no requests to answer.'
      : `${cases === 0 ? 'No request was answered yet.' : `Half of the requests were answered within ${minutesWords(minutes?.value ?? 0)}; you declined ${n === 0 ? 'none' : outOf(n, d)}.`}${waiting > 0 ? ` ${counted(waiting, 'request')} ${waiting === 1 ? 'has' : 'have'} no answer.` : ''}`
  return {
    ...{ id: 'answered', title: 'Requests answered', of: ['answered'], sentence },
    cases: counted(cases, 'request'),
    columns: [
      {
        key: 'measure',
        name: 'Figure',
        shown: (measure) => answeredWords[String(measure)] ?? String(measure),
      },
      { key: 'value', name: 'Now' },
      { key: 'of', name: 'Of' },
    ],
    rows: [
      ['median_minutes', minutes?.value ?? null, cases],
      ['median_minutes_before', before?.value ?? null, before?.d ?? 0],
      ['declined', n, d],
      ['unanswered', waiting, null],
    ],
  }
}

const answeredWords: Record<string, string> = {
  median_minutes: 'Minutes to the answer (median)',
  median_minutes_before: 'Minutes before (median)',
  declined: 'Declined',
  unanswered: 'Without an answer',
}

/** "35 minutes", "2.5 hours", "3 days": rounded up, as these are times within which something was done. */
export const minutesWords = (minutes: number): string =>
  minutes === 0
    ? 'a minute'
    : minutes < 120
      ? counted(minutes, 'minute')
      : minutes <= 48 * 60
        ? `${Math.ceil(minutes / 30) / 2} hours`
        : `${Math.ceil(minutes / (12 * 60)) / 2} days`
