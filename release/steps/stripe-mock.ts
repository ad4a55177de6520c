import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome, SessionAsked } from '../../server/core/money/processor.ts'
import { stripeProcessors } from '../../server/core/money/stripe.ts'
import type { VenueId } from '../../server/core/venue/venue.ts'
import { freePort } from '../../server/platform/db/embedded/free-port.ts'
import { inFolder, quietly, run } from '../commands.ts'
import { type Finding, failed, held, notTried } from '../findings.ts'

/*
 * stripe-mock is Stripe's own program: it judges a request by Stripe's specification, and answers with an example. Its
 * specification is older than the version of the interface that we use, so what is newer is left out where it refuses that.
 */

const module = 'github.com/stripe/stripe-mock'
const version = 'v0.203.0'

/** What came after its specification: a parameter, and the version of the interface that callbacks are to have. */
const newer = ['allowed_payment_method_types', 'api_version']

export const tryStripeMock = async (): Promise<readonly Finding[]> => {
  const go = await quietly('go', ['version']).catch(() => undefined)
  if (go === undefined)
    return [notTried('Requests to Stripe', 'Go is not installed, which builds stripe-mock')]
  return inFolder(async (folder) => {
    const env = { ...process.env, GOPATH: join(folder, 'go'), GOBIN: folder, GOFLAGS: '-modcacherw' }
    await run('go', ['install', `${module}@${version}`], { env })
    const port = await freePort()
    const mock = spawn(join(folder, 'stripe-mock'), ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' })
    try {
      return await judgedAt(`http://127.0.0.1:${port}`)
    } finally {
      mock.kill()
      if (mock.exitCode === null) await once(mock, 'exit')
    }
  })
}

const judgedAt = async (mock: string): Promise<readonly Finding[]> => {
  const between = await startBetween(mock)
  try {
    const found: Finding[] = []
    const whole: string[] = []
    for (const [name, call] of requestsAt(between.url)) {
      between.leaveOut([])
      if (isTaken(await call())) {
        whole.push(name)
        continue
      }
      const left = newer.filter((one) => between.sent.has(one))
      between.leaveOut(left)
      const said = await call()
      if (isTaken(said)) {
        found.push(held(name, `stripe-mock ${version}, without what is newer: ${left.join(', ')}`))
      } else found.push(failed(name, `stripe-mock ${version}`, answerOf(said)))
    }
    return [
      held(`${whole.length} requests to Stripe: ${whole.join(', ')}`, `stripe-mock ${version}`),
      ...found,
    ]
  } finally {
    await between.stop()
  }
}

/** Its example answers are of other objects, so what we make of them says nothing; a request is refused or taken. */
const isTaken = (said: Outcome<unknown>): boolean => said.kind === 'done' || said.kind === 'gone'

const answerOf = (said: Outcome<unknown>): string => (said.kind === 'refused' ? said.answer : said.kind)

/** Everything that we ask of Stripe. */
const requestsAt = (url: string): readonly (readonly [string, () => Promise<Outcome<unknown>>])[] => {
  const processor = stripeProcessors(url).of('rk_test_123', 'job')
  const now = Temporal.Now.instant()
  const named = { ref: '0b6f1c1e-6d0c-4d3f-9a55-6f6d2f0c7a11', venue: 7 as VenueId, try: 1 }
  const booking = '5d41402abc4b2a76b9719d911017c592'
  const sum = { amountCents: 9_000, currency: 'USD' }
  const asked: SessionAsked = {
    ...{ ...named, ...sum, booking, mode: 'payment', title: '2 tickets', sentence: 'Free until Friday.' },
    ...{ email: 'maya@example.com', language: 'fr', endsAt: now.add({ minutes: 31 }) },
    ...{ backUrl: 'https://example.com/back', cancelUrl: 'https://example.com/pay' },
  }
  const card = { customerRef: 'cus_1', methodRef: 'pm_1' }
  return [
    ['open a page to pay on', () => processor.openSession(asked)],
    ['open a page that keeps a card', () => processor.openSession({ ...asked, mode: 'setup' })],
    ['look at a page', () => processor.lookAtSession('cs_test_1')],
    ['close a page', () => processor.expireSession('cs_test_1')],
    ['find a page', () => processor.findSession(named.ref, now)],
    ['charge a card', () => processor.charge({ ...named, ...sum, ...card, booking, title: 'No-show' })],
    ['look at a payment', () => processor.lookAtPayment('pi_1')],
    ['find the page of a payment', () => processor.pageOf('pi_1')],
    ['list the charges of a card', () => processor.chargesOf('cus_1')],
    ['list the refunds of a payment', () => processor.refundsOf('pi_1')],
    ['find a payment', () => processor.findPayment('cus_1', named.ref)],
    ['cancel a payment', () => processor.cancelPayment('pi_1')],
    ['refund', () => processor.refund({ ...named, ...sum, paymentRef: 'pi_1' })],
    ['look at a refund', () => processor.lookAtRefund('re_1')],
    ['find a refund', () => processor.findRefund('pi_1', named.ref)],
    ['look at a dispute', () => processor.lookAtDispute('dp_1')],
    ['delete a customer', () => processor.deleteCustomer('cus_1')],
    ['list what moved', () => processor.movedBetween(now.subtract({ hours: 24 }), now)],
    ['list the cards that were kept', () => processor.cardsKeptBetween(now.subtract({ hours: 24 }), now)],
    ['list the refunds that failed', () => processor.refundsFailedOf(now.subtract({ hours: 24 }), now)],
    ['list the disputes', () => processor.disputesBetween(now.subtract({ hours: 24 }), now)],
    ['try every permission', () => processor.tryAll(asked)],
    ['register an endpoint', () => processor.register('https://example.com/payments/x', named.ref)],
    ['look at an endpoint', () => processor.callbackIsWell('we_1', 'https://example.com/payments/x')],
    ['know a page as its own', () => processor.owns({ sessionRef: 'cs_test_1' })],
  ]
}

/** Stands between our client and the program, and leaves out what it is told to. */
const startBetween = async (mock: string) => {
  let left: readonly string[] = []
  const sent = new Set<string>()
  const nameOf = (field: string): string => field.replace(/\[.*/, '')
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const fields = new URLSearchParams(Buffer.concat(pieces).toString())
      for (const name of [...fields.keys()]) {
        sent.add(nameOf(name))
        if (left.includes(nameOf(name))) fields.delete(name)
      }
      const asked = await reached(new URL(request.url ?? '/', mock), {
        method: request.method ?? 'GET',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': 'application/x-www-form-urlencoded',
        },
        ...(request.method === 'POST' && { body: fields.toString() }),
      })
      response.writeHead(asked.status, { 'content-type': 'application/json' }).end(await asked.text())
    }
    answer().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Names of what was sent since. */
    sent,
    leaveOut: (names: readonly string[]): void => {
      left = names
      if (names.length === 0) sent.clear()
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** It may not listen yet. */
const reached = async (url: URL, asked: RequestInit): Promise<Response> => {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(url, asked).catch(() => undefined)
    if (answer) return answer
    if (tries === 100) throw new Error('stripe-mock does not answer.')
    await pause(100)
  }
}
