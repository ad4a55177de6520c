import { posix } from 'node:path'
import type { Claim } from './claims.ts'
import type { Outcome, Outcomes } from './outcomes.ts'
import { type Step, type StepName, steps as allSteps } from './steps.ts'

/** docs/checked.md. */
export const checkedPage = (
  claims: Readonly<Record<string, Claim>>,
  { version, steps }: Outcomes,
  unknown: readonly string[],
): string => {
  const all = Object.values(claims)
  const sections = Object.entries(allSteps).map(([name, step]) =>
    sectionOf(
      name,
      step,
      all.filter(({ by }) => by.includes(name as StepName)),
      steps[name as StepName] ?? [],
    ),
  )
  return `# What is checked

Written by \`npm run check:release\` and \`npm run generate\` from \`release/claims.ts\`, for version ${version}: what our pages promise of
databases, runtimes, systems and other people's programs, and who has seen it hold. CI checks every change on one machine; what
it cannot check is tried before a release.

## Before a release

${sections.join('\n\n')}

## With every change

| Claim | Test |
|---|---|
${all
  .filter(({ by }) => by.some(isTest))
  .map(
    (claim) =>
      `| ${shown(claim)} | ${claim.by
        .filter(isTest)
        .map((test) => `\`${test}\``)
        .join(', ')} |`,
  )
  .join('\n')}

## What nobody has tried

| Claim | What, and why |
|---|---|
${all
  .filter(({ untried }) => untried !== undefined)
  .map((claim) => `| ${shown(claim)} | ${claim.untried} |`)
  .join('\n')}

## What is not known yet

${unknown.length === 0 ? 'Nothing.' : unknown.map((one) => `- ${one}`).join('\n')}
`
}

const isTest = (by: string): boolean => by.endsWith('.test.ts')

/** A step: its claims, how it checks them, and what came of it. */
const sectionOf = (
  name: string,
  { how }: Step,
  claims: readonly Claim[],
  outcomes: readonly Outcome[],
): string => {
  const rows = outcomes.map(
    ({ what, version, outcome, why, on }) =>
      `| ${what} | ${version} | ${on} | ${outcome}${why ? `: ${cell(why)}` : ''} |`,
  )
  return `### \`npm run check:release -- ${name}\`

${claims.map((claim) => `- ${shown(claim)}`).join('\n')}

${how}

| On | Version | When | Outcome |
|---|---|---|---|
${rows.join('\n') || '| | | | not tried |'}`
}

/** The sentence, and where it is from. */
const shown = ({ page, says }: Claim): string =>
  `“${cell(says.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1'))}” ([${page}](${posix.relative('docs', page)}))`

/** A bar would end the cell. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()
