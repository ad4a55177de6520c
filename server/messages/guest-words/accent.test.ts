import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accentColors, contrast, rgbOf } from './accent.ts'

const onLight = ['#f8f5f0', '#ffffff', '#f3efe8']
const onDark = ['#14171a', '#1d2125', '#262b30']
const against = (one: string, other: string): number => contrast(rgbOf(one), rgbOf(other))

describe('the colors worked out of the one a venue chose', () => {
  it('can be read on every ground, whatever was chosen', () => {
    const color = fc
      .integer({ min: 0, max: 0xffffff })
      .map((number) => `#${number.toString(16).padStart(6, '0')}`)
    const known = ['#ffffff', '#000000', '#808080', '#ffff00', '#1c5878', '#ff0000']
    fc.assert(
      fc.property(color, (chosen) => {
        const { fill, onFill, light, dark } = accentColors(chosen)
        assert.ok(against(onFill, fill) >= 4.5, `${chosen}: text on ${fill}`)
        for (const ground of [...onLight, light.tint])
          assert.ok(against(light.accent, ground) >= 4.6, `${chosen}: ${light.accent} on ${ground}`)
        for (const ground of [...onDark, dark.tint])
          assert.ok(against(dark.accent, ground) >= 6, `${chosen}: ${dark.accent} on ${ground}`)
      }),
      { numRuns: 500, examples: known.map((one): [string] => [one]), seed: 6 },
    )
  })

  it('a color that white can be read on is kept as it is', () => {
    const { fill, onFill } = accentColors('#1c5878')
    assert.deepEqual([fill, onFill], ['#1c5878', '#ffffff'])
  })

  it('on a pale color text is black', () => {
    assert.equal(accentColors('#ffd400').onFill, '#000000')
  })
})
