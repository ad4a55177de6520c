import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createContext, runInContext } from 'node:vm'
import { Book } from './sheets.ts'

/*
 * Runs an Apps Script in a thread of its own, since its calls return when they are done: what it fetches is asked of the
 * main thread, and this one waits until the answer is there.
 */

type Given = { readonly code: string; readonly signal: Int32Array; readonly answers: MessagePort }
const { code, signal, answers } = workerData as Given
const main = parentPort as MessagePort

export type Run = {
  readonly function: string
  /** How long each fetch takes by the clock of the script. */
  readonly msPerFetch: number
  /** How many writes to sheets are done before the run is stopped, as Google stops one; absent: it is not. */
  readonly writes?: number
}
export type Fetched = { readonly status: number; readonly text: string } | { readonly failed: string }

const book = new Book()
const properties = new Map<string, string>()
let nowMs = 0
let msPerFetch = 0

const fetch = (url: string, { headers }: { headers: Record<string, string> }) => {
  nowMs += msPerFetch
  Atomics.store(signal, 0, 0)
  main.postMessage({ fetch: { url, headers } })
  Atomics.wait(signal, 0, 0)
  const answer = receiveMessageOnPort(answers)?.message as Fetched
  if ('failed' in answer) throw new Error(`Address unavailable: ${url}`)
  return { getResponseCode: () => answer.status, getContentText: () => answer.text }
}

class HeldDate extends Date {
  static override now = (): number => nowMs
}

const script = createContext({
  Date: HeldDate,
  SpreadsheetApp: { getActive: () => book, flush: () => undefined },
  UrlFetchApp: { fetch },
  LockService: { getScriptLock: () => ({ tryLock: () => true, releaseLock: () => undefined }) },
  PropertiesService: {
    getScriptProperties: () => ({
      getProperty: (name: string) => properties.get(name) ?? null,
      setProperty: (name: string, value: string) => {
        if (value.length > 9_216) throw new Error('Argument too large: value')
        properties.set(name, value)
      },
    }),
  },
})
runInContext(code, script)

main.on('message', (told: { run: Run } | { set: Record<string, string> } | 'look') => {
  if (told === 'look') {
    main.postMessage({ seen: { sheets: book.contents(), properties: Object.fromEntries(properties) } })
  } else if ('set' in told) {
    for (const [name, value] of Object.entries(told.set)) properties.set(name, value)
    main.postMessage({ done: null })
  } else {
    msPerFetch = told.run.msPerFetch
    book.writesLeft = told.run.writes ?? Infinity
    try {
      runInContext(`${told.run.function}()`, script)
      main.postMessage({ done: null })
    } catch (error) {
      main.postMessage({ done: (error as Error).message })
    }
  }
})
