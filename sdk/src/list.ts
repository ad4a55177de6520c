import type { Answer, List, Page } from './call-types.ts'

/** Reads a list page by page; `ask` reads the page after a cursor, or the first. */
export const listOf = (
  ask: (after: string | undefined) => Promise<Answer<unknown>>,
  from?: string,
): List<unknown> => {
  const page = async (after = from): Promise<Page<unknown>> => {
    const { body, headers } = await ask(after)
    const header = (name: string): string | undefined => headers.get(name) ?? undefined
    return {
      items: body as unknown[],
      next: header('x-next-cursor'),
      changesCursor: header('x-changes-cursor'),
      count: header('x-count'),
    }
  }
  const pages = async function* (): AsyncGenerator<Page<unknown>, void> {
    for (let one = await page(); ; one = await page(one.next)) {
      yield one
      if (one.next === undefined) return
    }
  }
  const items = async function* (): AsyncGenerator<unknown, void> {
    for await (const page of pages()) yield* page.items
  }
  return {
    page: () => page(),
    pages,
    all: async () => {
      const all: unknown[] = []
      for await (const item of items()) all.push(item)
      return all
    },
    [Symbol.asyncIterator]: items,
  }
}
