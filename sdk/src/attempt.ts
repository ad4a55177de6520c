import type { Settings } from './options.ts'

/** The result of one attempt. */
export type Received = { readonly response: Response; readonly text: string }

/** An attempt that took too long. */
export class TookTooLong extends Error {
  override name = 'TookTooLong'
}

/** Sends once and reads the whole answer. */
export const attempt = async (
  { fetch, runtime }: Settings,
  url: string,
  init: RequestInit,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<Received> => {
  const controller = new AbortController()
  const stop = runtime.after(milliseconds, () =>
    controller.abort(new TookTooLong(`No answer within ${Math.round(milliseconds)} ms.`)),
  )
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    return { response, text: await response.text() }
  } finally {
    stop()
    signal?.removeEventListener('abort', abort)
  }
}
