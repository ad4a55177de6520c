import { type Exchange, wasTaken } from '../deliver/forward.ts'
import type { Output } from '../world.ts'
import { paint } from './paint.ts'
import { cut, padded, printable } from './printable.ts'

/** What came of a delivery, on one line; and below it what the receiver said, if it did not take it. */
export const exchangeLine = (exchange: Exchange, now: number, out: Output): string => {
  const { event, about, status, durationMs, error, answer } = exchange
  const time = `${new Date(now).toISOString().slice(11, 19)}Z`
  const said = error === undefined ? String(status) : `not delivered: ${error}`
  const verdict = paint(out, wasTaken(exchange) ? 'green' : 'red', said)
  const line = `${paint(out, 'dim', time)}  ${padded(event, 28)}  ${padded(about, 20)}  → ${verdict}  ${paint(out, 'dim', `${durationMs} ms`)}\n`
  if (answer === undefined) return line
  return `${line}${paint(out, 'dim', `           ${cut(printable(answer), Math.max(20, out.columns() - 12))}`)}\n`
}
