import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from './caller.ts'

/** Keeps each key within its requests per minute, by the remaining number that answers report. */
export class Pace {
  /** When each key may continue, in milliseconds. */
  readonly #waits = new Map<string, number>()
  /** Called once for each wait, with the seconds. */
  readonly #onWait: (seconds: number) => void

  constructor(onWait: (seconds: number) => void = () => undefined) {
    this.#onWait = onWait
  }

  /** Waits until a key has requests left. */
  async turn(key: string | undefined): Promise<void> {
    const until = this.#waits.get(key ?? '') ?? 0
    const leftMs = until - Date.now()
    if (leftMs <= 0) return
    this.#onWait(Math.ceil(leftMs / 1000))
    await pause(leftMs)
  }

  /** Reads the remaining requests from an answer. */
  note(key: string | undefined, { headers }: Reply): void {
    if (key === undefined || headers.get('ratelimit-remaining') !== '0') return
    this.#waits.set(key, Date.now() + Number(headers.get('ratelimit-reset') ?? 60) * 1000)
  }
}
