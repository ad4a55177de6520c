import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import type { ServerRow } from '../../../book/servers/server.ts'
import { textOf } from '../../../platform/html/html.ts'
import { offerChips } from './server-chip.ts'

const now = Temporal.Instant.from('2026-10-06T23:00:00Z')

describe('the server of an offer', () => {
  const [ann, bo, cy] = ['Ann Lee', 'Bo Park', 'Cy Day'].map(
    (name, n) => ({ id: n + 1, name, initials: name.replaceAll(/[a-z ]/g, ''), color: 'blue' }) as ServerRow,
  )
  /** Table 11 is Ann's, 12 Bo's, 13 Cy's; it is their turn in this order. */
  const servers = {
    turn: [ann, bo, cy],
    at: ([table]: readonly number[]) => [ann, bo, cy][(table ?? 0) - 11],
  } as unknown as ServersSeen
  const words = (offers: readonly number[]) =>
    offerChips(
      servers,
      offers.map((table) => [table]),
      now,
    ).map((chip) =>
      chip
        ? textOf(chip)
            .replaceAll(/<[^>]*>/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim()
        : '',
    )

  it('is next up only where it is their turn of all, as the head of the page says', () => {
    assert.deepEqual(words([13, 11]), ['Server Cy Day CD', 'Server Ann Lee AL next up'])
  })

  it('is said to be the next of these where the next of all has no table that is open', () => {
    assert.deepEqual(words([13, 12]), ['Server Cy Day CD', 'Server Bo Park BP next of these'])
  })
})
