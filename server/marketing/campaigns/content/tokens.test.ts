import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { tokensOf } from './tokens.ts'

describe('HTML in pieces', () => {
  it('the pieces always add up to the original HTML', () => {
    const parts = fc.constantFrom(
      ...[
        '<p>',
        '</p >',
        '<br/>',
        '<a href="{{x}}">',
        "<b id='1'",
        '<style>',
        '</style>',
        '<title>',
        '</title>',
      ],
      ...[
        '<!-- a -->',
        '<!-->',
        '<!doctype html>',
        '<?x?>',
        '<![CDATA[',
        ']]>',
        '</>',
        '</ ',
        '<',
        '>',
        '"',
        'İ😀 ',
      ],
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (some) => {
        const html = some.join('')
        const tokens = tokensOf(html)
        assert.equal(tokens.map(({ text }) => text).join(''), html)
        for (const { at, text } of tokens) assert.equal(html.slice(at, at + text.length), text)
      }),
    )
  })

  it('values are as written and where they are; nobody reads a comment or a style sheet as text', () => {
    const html =
      '<!doctype html><style>a > b{}</style><A title="" href="/?a&amp;b" nowrap>x &lt; y<img src="z" /></A>'
    const kinds = tokensOf(html).map((token) => [token.kind, token.kind === 'open' ? token.name : token.text])
    assert.deepEqual(kinds, [
      ['raw', '<!doctype html>'],
      ['open', 'style'],
      ['raw', 'a > b{}'],
      ['close', '</style>'],
      ['open', 'a'],
      ['text', 'x &lt; y'],
      ['open', 'img'],
      ['close', '</A>'],
    ])
    const [link, picture] = tokensOf(html).filter((token) => token.kind === 'open' && token.name !== 'style')
    assert.ok(link?.kind === 'open' && picture?.kind === 'open')
    assert.deepEqual(
      link.attributes.map(({ name, value, at }) => [name, value, html.slice(at, at + value.length)]),
      [
        ['title', '', ''],
        ['href', '/?a&amp;b', '/?a&amp;b'],
        ['nowrap', '', ''],
      ],
    )
    assert.deepEqual([link.isEmpty, picture.isEmpty], [false, true])
  })
})
