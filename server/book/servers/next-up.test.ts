import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type GivenParty, type InTurn, inTurn } from './next-up.ts'

const doors = Temporal.Instant.from('2026-10-06T21:00:00Z').epochMilliseconds
/** Minutes after the doors opened. */
const at = (minutes: number): number => doors + minutes * 60_000
const names = ['Ann', 'Bo', 'Cy'] as const

const lineUp = (more: Partial<Record<(typeof names)[number], Partial<InTurn>>> = {}): readonly InTurn[] =>
  names.map((name, place) => ({
    server: place,
    place,
    from: at(0),
    until: at(360),
    isCut: false,
    skippedAt: null,
    ...more[name],
  }))
const given = (server: (typeof names)[number], covers: number, minutes: number): GivenParty => ({
  server: names.indexOf(server),
  covers,
  at: at(minutes),
})
const turn = (parties: readonly GivenParty[], minutes: number, who = lineUp()): string =>
  inTurn(who, parties, at(minutes))
    .map((server) => names[server])
    .join(' ')

describe('whose turn it is', () => {
  it('goes round an evening as it was worked out by hand', () => {
    const evening: GivenParty[] = []
    const steps: readonly (readonly [number, string, (typeof names)[number], number])[] = [
      [0, 'Ann Bo Cy', 'Ann', 2], // Nobody has anything: the line-up.
      [5, 'Bo Cy Ann', 'Bo', 4], // Ann 2.
      [10, 'Cy Ann Bo', 'Cy', 2], // Ann 2, Bo 4.
      [20, 'Ann Cy Bo', 'Cy', 6], // Ann and Cy have 2, and Ann waits longer; the host gives it to Cy.
      [34, 'Ann Bo Cy', 'Bo', 2], // Of the last half hour: Ann 0, Bo 4, Cy 8.
      [36, 'Ann Bo Cy', 'Ann', 3], // Ann 0, Bo 2, Cy 8.
      [52, 'Cy Bo Ann', 'Ann', 2], // Cy 0, Bo 2, Ann 3.
    ]
    for (const [minutes, expected, who, covers] of steps) {
      assert.equal(turn(evening, minutes), expected, `at ${minutes}`)
      evening.push(given(who, covers, minutes))
    }
    // All of the last half hour is past at 90: then of the shift, Bo 6, Ann 7, Cy 8.
    assert.equal(turn(evening, 90), 'Bo Ann Cy')
  })

  it('is nobody’s who was cut, is not there yet or has gone', () => {
    const who = lineUp({ Ann: { isCut: true }, Bo: { from: at(60) }, Cy: { until: at(120) } })
    assert.equal(turn([], 30, who), 'Cy')
    assert.equal(turn([], 60, who), 'Bo Cy')
    assert.equal(turn([], 120, who), 'Bo')
  })

  it('comes last for who was skipped, until another party sits', () => {
    const who = lineUp({ Ann: { skippedAt: at(10) } })
    assert.equal(turn([], 11, who), 'Bo Cy Ann')
    assert.equal(turn([given('Bo', 2, 12)], 13, who), 'Ann Cy Bo')
  })
})
