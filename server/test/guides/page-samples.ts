import { readFile } from 'node:fs/promises'

/** A call that a page shows, and its answer. */
export type Sample = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  answer: string
}

/** The calls of a page and their answers: a line that begins with `$`, what continues it, and the line after. */
export const samplesOf = async (name: string): Promise<readonly Sample[]> => {
  const page = await readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')
  return [...page.matchAll(/^\$ (curl (?:.*\\\n)*.*)\n(.*)$/gm)].map(([, call = '', answer = '']) => {
    const [, path = ''] = /\$API([^" ]*)/.exec(call) ?? []
    const body = /--json '([^']*)'/.exec(call)?.[1]
    const headers = [...call.matchAll(/-H '([^:]*): ([^']*)'/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    return {
      method: /-X (\w+)/.exec(call)?.[1] ?? (body === undefined ? 'GET' : 'POST'),
      path: `/api/v1${path}`,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(body !== undefined && { body }),
      answer,
    }
  })
}

/** What the page shows, where `…` matches anything. */
export const asShown = (answer: string): RegExp =>
  new RegExp(
    `^${answer
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('[^]*')}$`,
  )
