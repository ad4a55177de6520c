import type { Check } from './check.ts'
import { bodyChecks } from './checks/body.ts'
import { linkChecks } from './checks/links.ts'
import { listChecks } from './checks/list.ts'
import { senderChecks } from './checks/sender.ts'
import { subjectChecks } from './checks/subject.ts'

export const checks: readonly Check[] = [
  ...subjectChecks,
  ...bodyChecks,
  ...linkChecks,
  ...listChecks,
  ...senderChecks,
].toSorted((a, b) => Number(a.effect === 'advise') - Number(b.effect === 'advise'))

/** The checklist as a table in Markdown. */
export const checksTable = (): string =>
  [
    '| Code | Effect | When |',
    '|---|---|---|',
    ...checks.map(
      ({ code, effect, when }) => `| \`${code}\` | ${effect === 'block' ? 'blocks' : 'advice'} | ${when} |`,
    ),
  ].join('\n')
