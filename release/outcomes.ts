import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './findings.ts'
import type { StepName } from './steps.ts'

/*
 * What was found out about this version, kept in outcomes.json. Machines differ in what they can try, so what one of them
 * tried stays until the same thing is tried again or the version is another.
 */

export type Outcome = Finding & { readonly on: string }
export type Outcomes = {
  readonly version: string
  readonly steps: Readonly<Partial<Record<StepName, readonly Outcome[]>>>
}

const file = join(import.meta.dirname, 'outcomes.json')

export const readOutcomes = (): Outcomes => JSON.parse(readFileSync(file, 'utf8')) as Outcomes

export const writeOutcomes = (outcomes: Outcomes): void =>
  writeFileSync(file, `${JSON.stringify(outcomes, null, 2)}\n`)

/** The outcomes after a step has run once more. */
export const withStep = (
  { version, steps }: Outcomes,
  now: { readonly version: string; readonly on: string },
  step: StepName,
  findings: readonly Finding[],
): Outcomes => {
  const before = version === now.version ? steps : {}
  const tried = findings.filter(({ outcome }) => outcome !== 'not tried')
  const kept = (before[step] ?? []).filter(
    (old) => old.outcome !== 'not tried' && !tried.some(({ what }) => what === old.what),
  )
  // "macOS arm64" is not untried where a Mac has tried "macOS arm64, Node 26".
  const untried = findings.filter(
    ({ what, outcome }) => outcome === 'not tried' && !kept.some((old) => old.what.startsWith(what)),
  )
  const all = [
    ...tried.map((one) => ({ ...one, on: now.on })),
    ...kept,
    ...untried.map((one) => ({ ...one, on: now.on })),
  ]
  return { version: now.version, steps: { ...before, [step]: all } }
}
