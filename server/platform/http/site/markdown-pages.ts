import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/*
 * Every page of the documentation as Markdown, for programs that read: assistants read a third as much of it as of the
 * HTML. Made from the pages, so that both say the same.
 */

/** The pages as Markdown, by path. All are made at once, in a thread: it takes seconds, and requests must not wait. */
export const markdownPages = async (baseUrl: string): Promise<ReadonlyMap<string, string>> => {
  const thread = new Worker(new URL('./markdown-pages-thread.ts', import.meta.url), { workerData: baseUrl })
  // It rejects with what the thread throws.
  const [pages] = await once(thread, 'message')
  return pages as ReadonlyMap<string, string>
}

/** `/docs/guides/webhooks` is also at `/docs/guides/webhooks.md`, `/docs/` at `/docs.md`. */
export const markdownPath = (path: string): string => `${path.replace(/\/$/, '')}.md`
