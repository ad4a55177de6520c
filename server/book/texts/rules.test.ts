import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { meaningOf, measured, oneSegment, segmentCharacters, textableNumber } from './rules.ts'

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

  it('says how much of a segment a text fills, and which letter leaves less room', () => {
    for (const [text, used, most, odd] of [
      ['a'.repeat(160), 160, 160, undefined],
      ['a'.repeat(161), 161, 160, undefined],
      ['Menü für 2 à la carte: Ω', 24, 160, undefined],
      ['5 € {a}', 10, 160, undefined],
      ['Está lista', 10, 70, 'á'],
      ['Ready 👋', 8, 70, '👋'],
      ['席'.repeat(71), 71, 70, '席'],
    ] as const)
      assert.deepEqual(measured(text), { used, most, odd }, text)
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
