import type { StripeStandIn } from './stand-in.ts'

/**
 * Has the stand-in go by the clock of a practice instance, which an operator may move: else what was paid on a day of the
 * instance would be of another day at the processor. Without an answer it stays as far ahead as it was.
 */
export const followClock = (standIn: StripeStandIn, instance: string): void => {
  let aheadMs = 0
  const systemMs = (): number => Temporal.Now.instant().epochMilliseconds
  standIn.clock = () => systemMs() + aheadMs
  standIn.beforeEach = async () => {
    const answered = await fetch(new URL('/healthz', instance)).catch(() => undefined)
    const date = answered?.headers.get('date')
    if (date != null) aheadMs = Date.parse(date) - systemMs()
  }
}
