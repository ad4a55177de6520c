import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { displayName, headerLine, headerText, wireAddress } from './header-text.ts'
import { quotedPrintable } from './quoted-printable.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '=', '.', 'From ', 'é', '🦪', '\t', '\n', '=?', '\r', '"', '\\'),
    maxLength: 200,
  }),
)

describe('quoted-printable', () => {
  const decoded = (encoded: string): string =>
    Buffer.from(
      encoded
        .replaceAll('=\r\n', '')
        .replaceAll('\r\n', '\n')
        .replaceAll(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
      'latin1',
    ).toString('utf8')

  it('read back is the text, on lines of at most 76 plain characters', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        const text = typed.toWellFormed().replaceAll('\r', '')
        const encoded = quotedPrintable(text)
        assert.equal(decoded(encoded), text)
        assert.doesNotMatch(encoded, /[^\t\r\n -~]|=_/)
        for (const line of encoded.split('\r\n')) {
          assert.ok(line.length <= 76)
          assert.doesNotMatch(line, /[ \t]$|^\.|^From |[\r\n]/)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('what stands in a header', () => {
  const unfolded = (header: string): string => header.replaceAll('\r\n ', ' ')
  const decodedWords = (header: string): string =>
    unfolded(header)
      .replaceAll(/\?= =\?UTF-8\?B\?/g, '?==?UTF-8?B?')
      .replaceAll(/=\?UTF-8\?B\?([\w+/=]*)\?=/g, (_, coded: string) =>
        Buffer.from(coded, 'base64').toString('utf8'),
      )

  it('is the text, in ASCII on lines of at most 76 characters, whatever it holds', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const header = headerText(text, 9)
        assert.match(header, /^[\r\n -~]*$/)
        assert.equal(decodedWords(header), headerLine(text))
        assert.doesNotMatch(header, /\r\n(?! [^ ])|(?<!\r)\n|\r(?!\n)/, 'a line end only folds')
        for (const [index, line] of header.split('\r\n').entries())
          assert.ok(line.length + (index === 0 ? 9 : 0) <= 76, line)
      }),
      { numRuns: 1_000 },
    )
  })

  it('plain words stay words; what could be taken for an encoded word is encoded', () => {
    assert.equal(headerText('Oysters all week', 9), 'Oysters all week')
    assert.match(headerText('=?UTF-8?B?eA==?=', 9), /^=\?UTF-8\?B\?PT9/)
    assert.equal(headerText(`${'word '.repeat(20)}end`, 9).split('\r\n ').length, 2)
  })

  it('a name before an address is quoted when it must be', () => {
    assert.equal(displayName('The Blue Door', 6), 'The Blue Door')
    assert.equal(displayName('Door, "Blue" <x@y.org>', 6), '"Door, \\"Blue\\" <x@y.org>"')
    assert.match(displayName('Bläue', 6), /^=\?UTF-8\?B\?/)
    assert.equal(displayName('a\r\nBcc: x@y.org', 6), '"a Bcc: x@y.org"')
  })

  it('an address has its domain in ASCII; one with other letters before the @ has no form there', () => {
    assert.equal(wireAddress('maya@exämple.com'), 'maya@xn--exmple-cua.com')
    assert.equal(wireAddress("o'brien+news@Example.com"), "o'brien+news@example.com")
    for (const address of [
      'josé@example.com',
      'почта@пример.рф',
      'a b@example.com',
      'a@b@example.com',
      'x',
      '@b.c',
      'a@',
      'a\r\n@b.c',
      'a@b.c\r\nBcc: x@y.org',
      '"a"@b.c',
      'a,b@c.de',
      '<a@b.c>',
    ])
      assert.equal(wireAddress(address), null, address)
  })
})
