import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from './caller.ts'

/** Keeps each key within its requests of a minute, by what the answers say is left of them. */
export class Pace {
  /** When a key may go on, by its text; in milliseconds. */
  readonly #waits = new Map<string, number>()
  /** Told once for each time it waits, with the seconds. */
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

  /** Looks what an answer says about the requests that are left. */
  note(key: string | undefined, { headers }: Reply): void {
    if (key === undefined || headers.get('ratelimit-remaining') !== '0') return
    this.#waits.set(key, Date.now() + Number(headers.get('ratelimit-reset') ?? 60) * 1000)
  }
}
