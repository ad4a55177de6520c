import { readFile } from 'node:fs/promises'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { Fetched, Run } from './apps-script-worker.ts'

export type Seen = {
  readonly sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>
  readonly properties: Readonly<Record<string, string>>
}

/** The script of a spreadsheet, and what it left there. */
export type AppsScript = {
  /** Runs a function to its end; answers with what it failed with, or null. */
  run: (run: Run) => Promise<string | null>
  /** Sets script properties. */
  set: (properties: Record<string, string>) => Promise<void>
  look: () => Promise<Seen>
  /** What is answered in place of the service; undefined: the service answers. */
  answerWith: (answer: Fetched | undefined) => void
  /** How often something was fetched. */
  fetches: () => number
  stop: () => Promise<void>
}

type Asked = { readonly url: string; readonly headers: Record<string, string> }

type Told = { fetch: Asked } | { done: string | null } | { seen: Seen }

/** `fetched`: the address that is fetched for one that the script asks for. */
export const startAppsScript = async (
  file: URL,
  { fetched }: { readonly fetched: (url: string) => string },
): Promise<AppsScript> => {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(new URL('apps-script-worker.ts', import.meta.url), {
    workerData: { code: await readFile(file, 'utf8'), signal, answers: port2 },
    transferList: [port2],
  })
  let instead: Fetched | undefined
  let count = 0
  let settle: (told: Told) => void = () => undefined

  const fetchFor = async ({ url, headers }: Asked): Promise<Fetched> => {
    if (instead) return instead
    const response = await fetch(fetched(url), { headers })
    return { status: response.status, text: await response.text() }
  }
  const answer = async (asked: Asked): Promise<void> => {
    count++
    port1.postMessage(await fetchFor(asked).catch((error: Error) => ({ failed: error.message })))
    Atomics.store(signal, 0, 1)
    Atomics.notify(signal, 0)
  }
  worker.on('message', (told: Told) => {
    if ('fetch' in told) void answer(told.fetch)
    else settle(told)
  })
  const ask = (message: unknown): Promise<Told> =>
    new Promise((resolve) => {
      settle = resolve
      worker.postMessage(message)
    })

  return {
    run: async (run) => ((await ask({ run })) as { done: string | null }).done,
    set: async (set) => void (await ask({ set })),
    look: async () => ((await ask('look')) as { seen: Seen }).seen,
    answerWith: (answer) => {
      instead = answer
    },
    fetches: () => count,
    stop: async () => {
      port1.close()
      await worker.terminate()
    },
  }
}
