#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { type Asked, Misuse, help, pick, readCommandLine } from './command-line.ts'
import { environment } from './config.ts'
import { clockBy, triggerBy } from './commands.ts'
import { CannotRun, conformance, isLoopback } from './conformance.ts'
import { badge } from './reports/badge.ts'
import { htmlReport } from './reports/html.ts'
import { jsonReport } from './reports/json.ts'
import { junitReport } from './reports/junit.ts'
import { lines, summary, withHeading } from './reports/lines.ts'
import { idOf } from './statement.ts'
import { sections } from './statements.ts'
import { version } from './version.ts'

/** Runs the suite according to the command line; returns the exit code. */
const main = async (): Promise<number> => {
  const asked = readCommandLine(process.argv.slice(2), environment)
  if (asked === 'help') return print(help)
  if (asked === 'version') return print(`${version}\n`)
  if (asked === 'list') return print(list())
  return runAsked(asked)
}

const print = (text: string): number => {
  process.stdout.write(text)
  return 0
}

const list = (): string =>
  sections
    .map((section) => {
      const statements = section.statements.map((one) => `  ${idOf(section, one).padEnd(26)} ${one.says}\n`)
      return `${section.name}: ${section.about}\n${statements.join('')}\n`
    })
    .join('')

const runAsked = async (asked: Asked): Promise<number> => {
  const { baseUrl, keys, json } = asked
  if (!isLoopback(baseUrl) && !asked.isKnown) {
    throw new Misuse(
      `${baseUrl} is not on this machine. This writes to its venue; say --i-know if you mean it.`,
    )
  }
  const show = withHeading((text) => process.stdout.write(text))
  const { trigger, clock } = asked
  const results = await conformance({
    baseUrl,
    keys,
    sections: pick(sections, asked.only),
    returnUrl: asked.returnUrl,
    receiver: { url: asked.receiver, port: asked.receiverPort },
    trigger: trigger === undefined ? undefined : triggerBy(trigger),
    advance: clock === undefined ? undefined : clockBy(clock),
    patienceMs: asked.patienceMs,
    onResult: (result) => {
      if (!json) show(result.section, lines(result))
    },
    onWait: (seconds) =>
      process.stderr.write(`The key has used up its minute; waiting ${seconds} seconds.\n`),
  })
  process.stdout.write(json ? jsonReport(results, baseUrl) : summary(results))
  if (asked.html !== undefined) await writeFile(asked.html, htmlReport(results, baseUrl))
  if (asked.junit !== undefined) await writeFile(asked.junit, junitReport(results))
  if (asked.badge !== undefined) await writeFile(asked.badge, badge(results, asked.badge))
  return results.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Misuse || error instanceof CannotRun)) throw error
  process.stderr.write(`${error.message}\n${error instanceof Misuse ? 'See --help.\n' : ''}`)
  process.exitCode = 2
}
