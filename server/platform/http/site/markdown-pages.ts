import { Worker } from 'node:worker_threads'

/*
 * Every page of the documentation as Markdown, for programs that read: assistants read a third as much of it as of the
 * HTML. Made from the pages, so that both say the same.
 */

/** The pages as Markdown, by path. All are made at once, in a thread: it takes seconds, and requests must not wait. */
export const markdownPages = (baseUrl: string): Promise<ReadonlyMap<string, string>> => {
  const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>()
  new Worker(new URL('./markdown-pages-thread.ts', import.meta.url), { workerData: baseUrl })
    .on('message', resolve)
    .on('error', reject)
    .on('exit', (code) => reject(new Error(`the thread for pages as Markdown ended with code ${code}`)))
  return promise
}

/** `/docs/guides/webhooks` is also at `/docs/guides/webhooks.md`, `/docs/` at `/docs.md`. */
export const markdownPath = (path: string): string => `${path.replace(/\/$/, '')}.md`
