import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type Content, html, textOf } from './html.ts'

describe('the html tag', () => {
  it('escapes what is put into text and quoted attributes', () => {
    const name = `<b onclick='x'>"Tom" & Ann</b>`
    assert.equal(
      textOf(html`<p title="${name}">${name}</p>`),
      '<p title="&lt;b onclick=&#39;x&#39;&gt;&quot;Tom&quot; &amp; Ann&lt;/b&gt;">' +
        '&lt;b onclick=&#39;x&#39;&gt;&quot;Tom&quot; &amp; Ann&lt;/b&gt;</p>',
    )
  })

  it('nests templates as they are, joins arrays, prints numbers, and drops null, undefined and false', () => {
    const items = ['a&b', 'c'].map((item) => html`<i>${item}</i>`)
    assert.equal(
      textOf(html`${items}${[null, [undefined, 'd']]}${false}${0}${''}`),
      '<i>a&amp;b</i><i>c</i>d0',
    )
  })

  it('takes nothing from outside for markup', () => {
    const parsed = JSON.parse('{"markup":"<script>","html":"<script>","length":0}') as Content
    assert.throws(() => html`${parsed}`)
  })

  it('lets no sign of markup through from any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(textOf(html`${text}`), /[<>"']/)
      }),
    )
  })
})
