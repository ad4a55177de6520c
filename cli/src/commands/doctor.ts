import { ApiError, AuthenticationError, ConnectionError, type VenueData } from '@venue-data/sdk'
import { type Run, has } from '../command.ts'
import { type Access, accessOf, clientFor, retriesOf } from '../connect.ts'
import { clockFinding } from '../doctor/clock.ts'
import { endpointFindings } from '../doctor/endpoints.ts'
import type { Finding } from '../doctor/finding.ts'
import { keyFindings } from '../doctor/key.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { isOnThisMachine } from '../local-address.ts'
import { type Paint, paint } from '../print/paint.ts'
import { printable } from '../print/printable.ts'
import type { World } from '../world.ts'

/** Checks everything that could keep a program from working with the venue, and says how to fix it. */
export const doctor: Run = async (world, line) => {
  const access = await accessOf(world, line)
  const { findings, code } = await examine(
    clientFor(world, access, { retries: 1, ...retriesOf(line) }),
    access,
    world,
  )
  if (has(line, 'json')) world.out.write(`${JSON.stringify(findings)}\n`)
  else for (const finding of findings) world.out.write(linesOf(finding, world))
  return code
}

type Examined = { readonly findings: readonly Finding[]; readonly code: ExitCode }

const examine = async (venue: VenueData, access: Access, { now }: World): Promise<Examined> => {
  const askedAt = now()
  try {
    const { body: account, headers } = await venue.me().withAnswer()
    const answeredAt = now()
    const findings = [
      serviceFinding(access),
      clockFinding(headers.get('date'), askedAt, answeredAt),
      ...keyFindings(account, answeredAt),
      ...(await endpoints(venue, account.key.scopes, answeredAt)),
    ]
    const isHealthy = findings.every(({ is }) => is !== 'problem')
    return { findings, code: isHealthy ? exitCodes.ok : exitCodes.refused }
  } catch (error) {
    if (error instanceof ConnectionError)
      return { findings: [unreachable(access, error)], code: exitCodes.unreachable }
    if (!(error instanceof ApiError)) throw error
    const isKey = error instanceof AuthenticationError
    return {
      findings: [serviceFinding(access), refused(access, error)],
      code: isKey ? exitCodes.noKey : exitCodes.refused,
    }
  }
}

const serviceFinding = ({ url }: Access): Finding => {
  const found = { about: 'service', sentence: `${url} answers.` }
  if (url.startsWith('https:') || isOnThisMachine(url)) return { is: 'fine', ...found }
  return {
    is: 'warning',
    ...found,
    advice: 'Anyone on the way can read the key: use https://.',
  }
}

const unreachable = ({ url }: Access, { cause }: ConnectionError): Finding => ({
  is: 'problem',
  about: 'service',
  sentence: `${url} does not answer: ${cause.code ?? cause.message}.`,
  advice: 'Check the address, whether the service is running, and that no proxy or firewall is in between.',
})

const advices = {
  401: 'Ask the owner of the venue for a new key, then run `venue-data login`.',
  402: 'The owner can change the plan in the office.',
  403: 'The owner has to allow this, in the office under Integrations.',
  404: 'This may not be the service: check the address.',
} as const

const refused = ({ from }: Access, { status, sentence }: ApiError): Finding => ({
  is: 'problem',
  about: 'key',
  sentence: `${sentence} (${status}; the key ${from === 'flags' || from === 'environment' ? `is from the ${from}` : `was saved in the ${from}`})`,
  advice: advices[status as keyof typeof advices] ?? 'Try again later.',
})

const endpoints = async (venue: VenueData, scopes: readonly string[], now: number): Promise<Finding[]> => {
  if (!scopes.includes('webhooks:manage'))
    return [{ is: 'fine', about: 'webhooks', sentence: 'Not checked: the key may not manage webhooks.' }]
  try {
    return endpointFindings(await venue.webhooks.list({ limit: 100 }), now)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [{ is: 'warning', about: 'webhooks', sentence: `Not checked: ${error.sentence}` }]
  }
}

const marks: Readonly<Record<Finding['is'], readonly [mark: string, paint: Paint]>> = {
  fine: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
}

const linesOf = ({ is, about, sentence, advice }: Finding, { out }: World): string => {
  const [mark, color] = marks[is]
  const first = `${paint(out, color, mark)} ${about.padEnd(9)} ${printable(sentence)}\n`
  return advice === undefined ? first : `${first}${' '.repeat(12)}${printable(advice)}\n`
}
