import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { meaningOf, oneSegment, segmentCharacters, textableNumber } from './rules.ts'

describe('texts', () => {
  it('a number is texted only where it is sure which one it is', () => {
    for (const [typed, country, number] of [
      ['(212) 555-0147', 'US', '+12125550147'],
      ['1 212 555 0147', 'US', '+12125550147'],
      ['+34 600 123 456', 'US', '+34600123456'],
      ['0034 600 123 456', 'ES', '+34600123456'],
      ['600 123 456', 'ES', undefined],
      ['555 0147', 'US', undefined],
      ['call me', 'US', undefined],
      [null, 'US', undefined],
    ] as const)
      assert.equal(textableNumber(typed, country), number, String(typed))
  })

  it('is one segment of plain letters, and its end is never cut', () => {
    const text = oneSegment(`Café “Zoë” – ${'x'.repeat(200)} 👋`, ' Reply STOP.')
    assert.equal(text.length, segmentCharacters)
    assert.ok(text.startsWith('Café "Zoe" - xxx') && text.endsWith('x Reply STOP.'), text)
    assert.equal(oneSegment('Su mesa está lista 👋', ''), 'Su mesa esta lista')
  })

  it('what somebody means who answers', () => {
    for (const word of ['STOP', ' stop. ', 'Unsubscribe', 'STOPALL', 'alto'])
      assert.equal(meaningOf(word), 'stop', word)
    assert.equal(meaningOf('Start'), 'start')
    assert.equal(meaningOf('help?'), 'help')
    for (const words of ['On our way!', 'please stop by the bar', ''])
      assert.equal(meaningOf(words), 'words', words)
  })
})
