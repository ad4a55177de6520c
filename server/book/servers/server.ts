import type { RowOf } from '../../platform/db/sql.ts'

/*
 * A server: somebody who serves tables. For staff only: nothing of them is in the API, an event or a mail. An account of the
 * office is another thing; a server may have one.
 */

/** Told apart by people who see few colors, too; each is drawn with a pattern of its own beside the initials. */
export const serverColors = ['blue', 'orange', 'green', 'purple', 'yellow', 'red', 'sky', 'gray'] as const

export const serverRow = {
  id: 'int8',
  name: 'text',
  initials: 'text',
  color: 'text',
  account: 'int8?',
  is_on: 'bool',
  version: 'int4',
} as const
export type ServerRow = RowOf<typeof serverRow>

/** "MO" of "Maya Okafor", "BE" of "Ben". */
export const initialsOf = (name: string): string => {
  const words = name.split(/[\s-]+/).filter((word) => word !== '')
  const [first = '', last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const [letters, ofLast] = [Array.from(first), Array.from(last ?? '')]
  return (last === undefined ? letters.slice(0, 2) : [letters[0], ofLast[0]]).join('').toUpperCase()
}
