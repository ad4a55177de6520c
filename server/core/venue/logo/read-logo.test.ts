import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { gzipSync } from 'node:zlib'
import { readLogo } from './read-logo.ts'
import { jpegOf, jpegSegment, pngChunk, pngOf, svgOf } from './test/pictures.ts'

const svg = (inside: string, attributes?: string): string =>
  String(readLogo(Buffer.from(svgOf(inside, attributes))).bytes)
const shape = '<path d="M0 0h10v10z" fill="#1c5878"/>'

describe('a PNG or JPEG as a logo', () => {
  it('is kept as it is, with its size', () => {
    const png = pngOf(120, 40)
    assert.deepEqual(readLogo(png), { type: 'png', bytes: png, width: 120, height: 40 })
    const jpeg = jpegOf(64, 32)
    assert.deepEqual(readLogo(jpeg), { type: 'jpg', bytes: jpeg, width: 64, height: 32 })
  })

  it('loses everything but the picture itself, and all that follows its end', () => {
    const beside = [
      ...['tEXt', 'iTXt', 'eXIf', 'tIME', 'acTL'].map((type) =>
        pngChunk(type, Buffer.from('Maya’s kitchen')),
      ),
    ]
    const behind = Buffer.from('<script>alert(1)</script>')
    const png = readLogo(Buffer.concat([pngOf(20, 20, beside), behind]))
    assert.deepEqual(png.bytes, pngOf(20, 20))
    const segments = [0xe1, 0xed, 0xfe].map((marker) => jpegSegment(marker, Buffer.from('Exif 40.7 N')))
    const jpeg = readLogo(Buffer.concat([jpegOf(20, 20, segments), behind]))
    assert.deepEqual(jpeg.bytes, jpegOf(20, 20))
  })

  it('is refused when it is too large, too small, or has more points than its bytes say', () => {
    assert.throws(() => readLogo(pngOf(4_097, 16)), /16 to 4096 pixels; this one has 4097 × 16/)
    assert.throws(() => readLogo(jpegOf(60_000, 60_000)), /60000 × 60000/)
    assert.throws(() => readLogo(pngOf(15, 40)), /16 to 4096 pixels/)
    assert.throws(() => readLogo(Buffer.alloc(512 * 1024 + 1, 0x20)), /at most 512 KB/)
    assert.throws(() => readLogo(Buffer.alloc(0)), /empty/)
  })

  it('is refused when any part of it is missing', () => {
    for (const whole of [pngOf(20, 20), jpegOf(20, 20)]) {
      for (let length = 8; length < whole.length; length++)
        assert.throws(() => readLogo(whole.subarray(0, length)), /damaged|must be a PNG/)
    }
  })

  it('goes by what it holds: a page, a program, a list or a packed file is not a logo under any name', () => {
    for (const file of [
      '<html><script>alert(1)</script>',
      'GIF89a',
      '%PDF-1.7',
      'MZ\0\0',
      'name,email',
      '<?xml version="1.0"?><html/>',
    ])
      assert.throws(() => readLogo(Buffer.from(file)), /must be a PNG, JPEG or SVG file/)
    assert.throws(() => readLogo(gzipSync(svgOf(shape))), /must be a PNG, JPEG or SVG file/)
    assert.throws(() => readLogo(Buffer.from(svgOf(shape), 'utf16le')), /must be a PNG, JPEG or SVG file/)
  })
})

describe('an SVG as a logo', () => {
  it('has a prolog of as many pieces as its maker likes, read once', () => {
    const pieces = ['<!---->', '<??>', '<!DOCTYPE svg>', '<!doctype svg [<!ENTITY a "b">] >', ' \n']
    for (const piece of pieces) {
      const file = (end: string) => Buffer.from(piece.repeat(5_000) + end)
      assert.equal(readLogo(file(svgOf(shape))).type, 'svg', piece)
      for (const end of ['', '<!--', '<?', '<!DOCTYPE', '<html>', 'x', '<!-- <svg>'])
        assert.throws(() => readLogo(file(end)), /must be a PNG, JPEG or SVG file/, piece + end)
    }
  })

  it('keeps shapes, words, colors, gradients, masks and parts used again', () => {
    const inside =
      '<title>Blue &amp; Door</title><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient>' +
      '<clipPath id="c"><circle cx="5" cy="5" r="4"/></clipPath><g id="leaf"><path d="M1 1z"/></g></defs>' +
      '<style>.a{fill:url(#g)} /* note */ .b > path{stroke:#000}</style>' +
      '<g class="a" clip-path="url(#c)" transform="rotate(4)"><rect width="3" height="4" style="fill:red"/></g>' +
      '<use xlink:href="#leaf" x="2"/><text x="1" font-family="Georgia">Door</text>'
    const kept = svg(inside, 'width="80px" height="40"')
    assert.match(
      kept,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 80 40" width="80" height="40">/,
    )
    for (const said of [
      '<title>Blue &amp; Door</title>',
      '<stop offset="0" stop-color="#fff">',
      '.a{fill:url(#g)}  .b &gt; path{stroke:#000}',
      '<g class="a" clip-path="url(#c)" transform="rotate(4)">',
      '<rect width="3" height="4" style="fill:red">',
      '<use href="#leaf" x="2">',
      '<text x="1" font-family="Georgia">Door</text>',
    ])
      assert.ok(kept.includes(said), said)
    assert.equal(String(readLogo(Buffer.from(kept)).bytes), kept, 'cleaned once is clean')
  })

  it('takes what drawing programs write: a prolog, a doctype with entities, comments, their own names, a link around it', () => {
    const file = `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<!-- Generator -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [<!ENTITY ns "http://x.example/">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="&ns;" i:page="1" viewBox="0,0,.5,.25" onload="go()">
<metadata><rdf xmlns="r">Maya</rdf></metadata><a href="https://x.example">${shape}</a></svg>`
    const { bytes, width, height } = readLogo(Buffer.from(file))
    assert.deepEqual([width, height], [1000, 500])
    assert.doesNotMatch(String(bytes), /DOCTYPE|ENTITY|x\.example|onload|Maya|Generator|i:page/)
    assert.match(String(bytes), /<path d="M0 0h10v10z" fill="#1c5878"><\/path>/)
  })

  /** What must not be in what is kept, and what is tried. */
  const hostile: readonly (readonly [RegExp, string])[] = [
    [/alert|script/i, '<script>alert(1)</script>'],
    [/alert|script/i, '<SCRIPT>alert(1)</SCRIPT>'],
    [/alert|script/i, '<script xlink:href="https://evil.example/a.js"/>'],
    [/alert|script/i, '<svg:script>alert(1)</svg:script>'],
    [/alert|script/i, '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'],
    [/alert|script/i, '<![CDATA[<script>alert(1)</script>]]>'],
    [
      /foreignObject|iframe|body/i,
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="x"/></body></foreignObject>',
    ],
    [/on\w+=|alert/i, '<rect width="1" onclick="alert(1)" onLoad="alert(1)" onmouseover="alert(1)"/>'],
    [/on\w+=|alert/i, '<set attributeName="onmouseover" to="alert(1)"/>'],
    [
      /animate|values|javascript/i,
      '<a><animate attributeName="href" values="javascript:alert(1)"/><text>x</text></a>',
    ],
    [/javascript/i, '<a xlink:href="javascript:alert(1)"><text>x</text></a>'],
    [/evil/, '<image href="https://evil.example/x.png" width="1" height="1"/>'],
    [/evil|data:/, '<image href="data:image/svg+xml;base64,evil" width="1" height="1"/>'],
    [/evil/, '<use href="https://evil.example/x.svg#a"/>'],
    [/data:/, '<use href="data:image/svg+xml,%3Csvg/%3E#a"/>'],
    [/evil/, '<rect width="1" fill="url(https://evil.example/#a)"/>'],
    [/evil/, '<rect width="1" fill="url( \'//evil.example/a\' )"/>'],
    [/evil/, '<rect width="1" style="fill:url(//evil.example)"/>'],
    [/evil/, '<rect width="1" style="fill:u\\72l(//evil.example)"/>'],
    [/evil/, '<rect width="1" style="background:image-set(\'//evil.example\' 1x)"/>'],
    [
      /evil|feImage/,
      '<filter id="f"><feImage href="https://evil.example"/></filter><rect filter="url(#f)" width="1"/>',
    ],
    [/evil|cursor/, '<rect width="1" cursor="url(#evil)"/>'],
    [
      /evil|handler|listener/,
      '<handler type="application/ecmascript">evil()</handler><listener event="load"/>',
    ],
    [/evil|base/, '<rect width="1" xml:base="https://evil.example/"/>'],
    [/evil|stylesheet/, '<?xml-stylesheet href="https://evil.example/a.css"?>'],
    [/svg.*<svg/s, `<svg viewBox="0 0 1 1">${shape}</svg>`],
    [
      /evil/,
      '<title>"><evil></title>'.replace('<evil>', '&lt;img src=x onerror=evil&gt;').replace('evil', 'e'),
    ],
  ]
  for (const [gone, inside] of hostile)
    it(`leaves ${inside.slice(0, 60)} behind`, () => {
      const kept = svg(inside + shape)
      assert.doesNotMatch(kept, gone)
      assert.ok(kept.includes('M0 0h10v10z'), 'and keeps the picture')
    })

  it('cannot be left by a quote or a bracket in a value or in words', () => {
    const kept = svg(
      `<text id='"/&gt;&lt;script&gt;alert(1)&lt;/script&gt;'>&lt;script&gt;alert(1)&lt;/script&gt;</text>`,
    )
    assert.doesNotMatch(kept, /<script/)
    assert.equal(kept.match(/</g)?.length, 4, 'one svg and one text')
  })

  it('is refused if its style sheet loads something or cannot be read', () => {
    for (const rules of [
      '@import url(https://evil.example/a.css);',
      '@font-face{src:url(https://evil.example/f)}',
      '.a{fill:url(https://evil.example)}',
      '.a{fill:\\75rl(x)}',
      '.a{fill:ur/**/l(https://evil.example)}',
      '.a{mask:url(#m)}',
    ])
      assert.throws(() => svg(`<style>${rules}</style>${shape}`), /Save it as PNG/, rules)
  })

  it('is refused where it would take long to draw or to read: billions of shapes, deep nests, endless lists', () => {
    let bomb = '<g id="l0"><rect width="1"/></g>'
    for (let level = 1; level < 12; level++)
      bomb += `<g id="l${level}">${`<use href="#l${level - 1}"/>`.repeat(8)}</g>`
    for (const inside of [
      bomb,
      '<g id="me"><use href="#me"/><rect width="1"/></g>',
      '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
      `${'<g>'.repeat(100)}${shape}${'</g>'.repeat(100)}`,
      '<g>'.repeat(170_000),
      '<x>'.repeat(170_000),
      '<rect/>'.repeat(6_000),
      `<g id="x">${shape}</g>${'<use href="#x"/>'.repeat(101)}`,
    ])
      assert.throws(() => svg(inside), /too complicated/)
    const masks = svg(`<mask id="m"><rect width="1" mask="url(#m)" style="mask:url(#m)"/></mask>${shape}`)
    assert.match(masks, /<mask id="m"><rect width="1"><\/rect><\/mask>/)
  })

  it('is refused where it draws nothing, or has no size', () => {
    for (const file of [
      svgOf(''),
      svgOf('<image href="a.png"/>'),
      svgOf(shape, ''),
      svgOf(shape, 'viewBox="0 0 0 9"'),
    ])
      assert.throws(() => readLogo(Buffer.from(file)), /no picture of shapes/)
    assert.throws(() => readLogo(Buffer.from(svgOf(shape, 'width="100%" height="9"'))), /no picture/)
  })

  it('what is kept is always well-formed, on the list, and clean a second time', () => {
    const piece = fc.constantFrom(
      ...[
        '<g>',
        '</g>',
        '<svg>',
        '</svg>',
        '<script>',
        '</script>',
        '<a href="#">',
        '</a>',
        '<style>',
        '</style>',
      ],
      ...[
        '<path d="M0"/>',
        '<use href="#a"',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '<?x',
        '?>',
        '<!DOCTYPE x [',
        '"',
        "'",
      ],
      ...[
        '>',
        '/>',
        ' onload="x"',
        ' id="a"',
        ' style="fill:url(#a)"',
        '&#60;',
        '&lt;',
        '\0',
        '\\',
        'x',
        ' ',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        let kept: string
        try {
          kept = svg(pieces.join(''))
        } catch (error) {
          assert.equal((error as { status?: number }).status, 400)
          return
        }
        assert.equal(String(readLogo(Buffer.from(kept)).bytes), kept)
        assert.doesNotMatch(kept, /<script| onload="|CDATA|<!|<\?|\\/)
        const open = kept.match(/<[a-z]/gi)?.length
        assert.equal(open, kept.match(/<\//g)?.length)
        assert.equal(parseDocument(kept, { xmlMode: true }).children.length, 1)
      }),
      { numRuns: 500 },
    )
  })
})
