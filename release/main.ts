import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { misused, scriptWords } from '../server/platform/kernel/script-words.ts'
import { claims } from './claims.ts'
import { root } from './commands.ts'
import { failed } from './findings.ts'
import { readOutcomes, withStep, writeOutcomes } from './outcomes.ts'
import { checkedPage } from './page.ts'
import { type StepName, steps } from './steps.ts'
import { unknownYet } from './unknown.ts'

/*
 * `npm run check:release`: tries what CI cannot, all of it or the steps named, and writes what it found into docs/checked.md. A step
 * that this machine cannot do is not tried, and says why; the exit code is 1 if one failed.
 */

const names = Object.keys(steps) as StepName[]
const usage = `npm run check:release [-- [${names.join('|')}]… [--cluster postgres://role@coordinator:5432/empty-database]]`
const { values, positionals } = scriptWords(usage, {
  options: { cluster: { type: 'string' } },
  allowPositionals: true,
})
const unknown = positionals.find((word) => !Object.hasOwn(steps, word))
if (unknown !== undefined) misused(usage, `There is no step "${unknown}".`)
if (values.cluster !== undefined && !URL.canParse(values.cluster))
  misused(usage, 'The cluster needs the address of a database.')

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
let hasFailed = false
for (const name of names.filter((name) => positionals.length === 0 || positionals.includes(name))) {
  console.log(`\n== ${name}: ${steps[name].how}\n`)
  const findings = await steps[name]
    .run({ cluster: values.cluster })
    .catch((error: Error) => [failed('The step as a whole', '', error.message)])
  // Written after each step: one that is interrupted takes nothing along.
  const outcomes = withStep(
    readOutcomes(),
    { version, on: Temporal.Now.plainDateISO().toString() },
    name,
    findings,
  )
  writeOutcomes(outcomes)
  await writeFile(join(root, 'docs/checked.md'), checkedPage(claims, outcomes, unknownYet(root)))
  console.log()
  for (const { what, version, outcome, why } of findings)
    console.log(
      `${outcome.toUpperCase().padEnd(9)} ${what}${version && `: ${version}`}${why ? ` (${why})` : ''}`,
    )
  hasFailed ||= findings.some(({ outcome }) => outcome === 'failed')
}
console.log('\nNot known yet, for the owner to fill in:')
for (const one of unknownYet(root)) console.log(`- ${one}`)
process.exitCode = hasFailed ? 1 : 0
