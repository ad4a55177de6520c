import { setTimeout as pause } from 'node:timers/promises'
import { formAge } from '../../server/doors/guest-pages/frame/form-value.ts'
import { startStripeStandIn } from '../../server/test/stripe/stand-in.ts'
import { hiddenIn } from './hidden-in.ts'
import { type Answer, visit } from '../visitor.ts'

/*
 * Who buys tickets, and the processor they pay at, in a process of their own (forked by bench/rush.ts). Each buyer is a
 * browser with an address and a connection of its own: the page of the event, its form, and the processor's page.
 */

export type CrowdOrder =
  /** Where the service is, and how long the processor takes for each answer. */
  | { readonly what: 'begin'; readonly port: number; readonly delayMs: number }
  /** Buyers who come evenly within some seconds, each for one ticket. */
  | {
      readonly what: 'buy'
      readonly path: string
      readonly buyers: number
      readonly seconds: number
      readonly pay: boolean
    }
  /** Those who were led to the processor and have not paid yet pay, one of them. */
  | { readonly what: 'pay-one' }

export type CrowdReport = {
  readonly url: string
  readonly key: string
  /** From the press until the answer that leads to the processor, in milliseconds. */
  readonly presses: readonly number[]
  /** Buyers whose page said that it is sold out. */
  readonly soldOut: number
  /** What was answered in any other way. */
  readonly refused: readonly string[]
  readonly paid: number
  /** When the last one paid, by the clock of the machine. */
  readonly paidAt: number
}

const soldOut = /sold out/i

/** A little more than a form must be old. */
const fillMs = formAge.leastSeconds * 1_000 + 100

const standIn = await startStripeStandIn()
let port = 0
let delayMs = 0
let buyer = 0
const unpaid: string[] = []
standIn.beforeEach = () => pause(delayMs)
standIn.reach = (url) => url.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${port}`)

const now = (): number => performance.timeOrigin + performance.now()

type Kept = {
  -readonly [Name in keyof CrowdReport]: CrowdReport[Name] extends readonly (infer Of)[]
    ? Of[]
    : CrowdReport[Name]
}
const empty = (): Kept => ({
  ...{ url: standIn.url, key: standIn.key, presses: [], soldOut: 0, refused: [], paid: 0, paidAt: 0 },
})

const payOne = async (report: Kept): Promise<void> => {
  const session = unpaid.shift()
  if (session === undefined) return
  report.paidAt = now()
  if (await standIn.pay(session)) report.paid++
}

/** As people do where the service is too busy just then: the page says to try again, and a form sent twice buys once. */
const patiently = async (ask: () => Promise<Answer>): Promise<Answer> => {
  for (let left = 30; ; left--) {
    const answer = await ask()
    if (answer.status !== 503 || left === 0) return answer
    await pause(Number(answer.headers['retry-after'] ?? 1) * 1_000)
  }
}

const buyOne = async (report: Kept, path: string, pay: boolean): Promise<void> => {
  const n = buyer++
  const from = { 'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` }
  const browser = visit(port)
  try {
    const page = await patiently(() => browser.get(path, from))
    const text = page.body.toString()
    const form = hiddenIn(text)
    if (page.status !== 200) report.refused.push(`the page ${page.status}`)
    else if (form === undefined && soldOut.test(text)) report.soldOut++
    else if (form === undefined) report.refused.push('the page has no form')
    else {
      const typed = { ...form, first: 'Maya', last: `Okafor ${n}`, email: `buyer${n}@example.com`, tel: '' }
      // A form that is sent at once counts as a robot's.
      await pause(fillMs)
      const pressed = await patiently(() => browser.post(path.replace(/\?.*/, ''), typed, from))
      const to = pressed.headers.location
      if (to?.startsWith(standIn.url)) {
        report.presses.push(pressed.ms)
        unpaid.push(to.replace(/^.*\/pay\//, ''))
        if (pay) await payOne(report)
      } else if (pressed.status === 409 && soldOut.test(pressed.body.toString())) report.soldOut++
      else report.refused.push(`the press ${pressed.status} ${to ?? ''}`)
    }
  } catch (error) {
    report.refused.push(String(error))
  } finally {
    browser.stop()
  }
}

const buy = async (order: CrowdOrder & { readonly what: 'buy' }): Promise<Kept> => {
  const report = empty()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: order.buyers }, async (_, n) => {
      await pause(Math.max(0, began + (n / order.buyers) * order.seconds * 1_000 - performance.now()))
      await buyOne(report, order.path, order.pay)
    }),
  )
  return report
}

const answer = async (order: CrowdOrder): Promise<CrowdReport> => {
  if (order.what === 'buy') return buy(order)
  const report = empty()
  if (order.what === 'pay-one') await payOne(report)
  else {
    port = order.port
    delayMs = order.delayMs
  }
  return report
}

process.on('message', (order: CrowdOrder) => {
  answer(order).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
process.on('disconnect', () => void standIn.stop())
process.send?.(empty())
