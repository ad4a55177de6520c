import { madeBefore } from '../made-before.ts'
import { type TestService, startService } from '../service.ts'
import { type PassThrough, startPassThrough } from './pass-through.ts'

/** What the way to PostgreSQL saw of some work. */
export type Counted = {
  /** Executed, `begin` and `commit` included. */
  readonly statements: number
  /** How often something waited for the database: what is sent while an answer is still out adds none. */
  readonly trips: number
  /** Those from the first lock of a transaction on, its commit included: others at the venue wait for these. */
  readonly behindLock: number
  /** Statements whose columns it was asked to describe. */
  readonly described: number
}

/**
 * A way to PostgreSQL that passes bytes on and counts what goes over it, by the messages of the protocol.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export type CountingProxy = PassThrough & {
  /** What some work sends, for as long as nothing else is going on. */
  readonly counted: (work: () => Promise<unknown>) => Promise<Counted>
}

const locks = /\bfor (?:no key )?update\b|pg_advisory_xact_lock/i

export const startCountingProxy = async (databaseUrl: string): Promise<CountingProxy> => {
  let count = { statements: 0, trips: 0, behindLock: 0, described: 0 }
  const passing = await startPassThrough(databaseUrl, ({ client, database }) => {
    const texts = new Map<string, string>()
    let unanswered = 0
    let isLocked = false
    let bound = ''
    const pending: string[] = []

    /** Ends what the database answers as one: the client waits for it unless it already waits for another. */
    const asked = (): void => {
      if (unanswered === 0) {
        count.trips++
        if (isLocked) count.behindLock++
      }
      unanswered++
    }
    const executed = (text: string): void => {
      count.statements++
      // The trip that takes the lock is waited for by its own transaction only.
      if (locks.test(text)) isLocked = true
    }
    const fromClient = messages(true, (type, body) => {
      if (type === 'P') texts.set(cString(body), cString(body.subarray(cString(body).length + 1)))
      if (type === 'B') bound = texts.get(cString(body.subarray(cString(body).length + 1))) ?? ''
      if (type === 'Q') {
        const text = cString(body)
        asked()
        executed(text)
      }
      if (type === 'D') count.described++
      if (type === 'E') pending.push(bound)
      if (type === 'S') {
        asked()
        for (const text of pending.splice(0)) executed(text)
      }
    })
    const fromDatabase = messages(false, (type, body) => {
      if (type !== 'Z') return
      unanswered = Math.max(0, unanswered - 1)
      // Outside a transaction, nothing is locked any longer.
      if (body.toString() === 'I') isLocked = false
    })
    client.on('data', (bytes: Buffer) => {
      fromClient(bytes)
      if (!database.destroyed) database.write(bytes)
    })
    database.on('data', (bytes: Buffer) => {
      fromDatabase(bytes)
      client.write(bytes)
    })
  })
  return {
    ...passing,
    counted: async (work) => {
      count = { statements: 0, trips: 0, behindLock: 0, described: 0 }
      await work()
      return { ...count }
    },
  }
}

/** A service for a `describe`, and such a way to its database next to the service's own. */
export const countedBeside = (): { readonly service: TestService; readonly proxy: CountingProxy } => {
  const service = madeBefore(() => startService())
  const proxy = madeBefore(() => startCountingProxy(service.databaseUrl))
  return { service, proxy }
}

/** Splits a side of the conversation into its messages; the client's first one has no type. */
const messages = (isFirstPlain: boolean, each: (type: string, body: Buffer) => void) => {
  let rest = Buffer.alloc(0)
  let isPlain = isFirstPlain
  return (bytes: Buffer): void => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const head = isPlain ? 0 : 1
      if (rest.length < head + 4) return
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return
      if (!isPlain) each(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end))
      isPlain = false
      rest = rest.subarray(end)
    }
  }
}

const cString = (bytes: Buffer): string => bytes.toString('utf8', 0, Math.max(0, bytes.indexOf(0)))
