import assert from 'node:assert/strict'

/** Something that somebody may read, and what was written there. */
export type Said = { readonly where: string; readonly text: string }

/** Fails where one of these secrets is in something that was said; names the place, and of the secret only how it begins. */
export const assertUnsaid = (secrets: Iterable<string>, said: readonly Said[]): void => {
  const kept = [...secrets]
  assert.ok(kept.length > 0 && kept.every((one) => one.length >= 12), 'there is something to look for')
  const found = said.flatMap(({ where, text }) =>
    kept.filter((one) => text.includes(one)).map((one) => `${where}: ${one.slice(0, 12)}…`),
  )
  assert.deepEqual(found, [])
}
