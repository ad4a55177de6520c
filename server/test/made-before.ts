import { after, before } from 'node:test'

/**
 * Makes something before the tests of a `describe` and ends it after them. What is returned is a proxy for it, so that tests
 * can name it where they are written; an async `describe` could do the same, but now and then such a run never ends.
 */
export const madeBefore = <T extends { readonly stop: () => Promise<unknown> }>(
  make: () => Promise<T>,
): T => {
  let made: T | undefined
  const it = (): T => {
    if (!made) throw new Error('What a `before` makes is there once the tests run.')
    return made
  }
  before(async () => {
    made = await make()
  })
  after(() => made?.stop())
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(it(), name) as unknown,
    set: (_, name, value) => Reflect.set(it(), name, value),
  })
}
