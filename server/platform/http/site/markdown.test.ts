import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { textOf } from '../../html/html.ts'
import { readGuide } from './markdown.ts'

const bodyOf = (markdown: string, lead: (href: string) => string | undefined = (href) => href): string =>
  textOf(readGuide(markdown, lead).body).replaceAll(/>\s+/g, '>').replaceAll(/\s+</g, '<')

describe('a guide in Markdown', () => {
  it('cannot bring its own markup: HTML is shown as text, and comments are left out', () => {
    assert.equal(
      bodyOf('a <b onclick="x">b</b> & c'),
      '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt; &amp; c</p>',
    )
    assert.equal(bodyOf('<script>alert(1)</script>'), '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    assert.equal(bodyOf('<!-- recipe: a -->\n\nb'), '<p>b</p>')
    assert.equal(bodyOf('`<i>`'), '<p><code>&lt;i&gt;</code></p>')
  })

  it('links only to known targets', () => {
    const lead = (href: string) =>
      href === 'webhooks.md#verifying' ? '/docs/guides/webhooks#verifying' : undefined
    assert.equal(
      bodyOf('[to *a*](webhooks.md#verifying)', lead),
      '<p><a href="/docs/guides/webhooks#verifying">to<em>a</em></a></p>',
    )
    assert.equal(bodyOf('[x](javascript:alert(1)) [y](../README.md)', lead), '<p>x y</p>')
  })

  it('gives headings the anchors that Git hosts use, and collects the text below each', () => {
    const { passages } = readGuide(
      '# One\n\nfirst\n\n## `a` & b\n\n- x\n- y\n\n## One\n\n| h |\n|---|\n| z |\n',
      () => undefined,
    )
    assert.deepEqual(
      passages.map(({ id, title, level, words }) => [id, title, level, words.trim().replaceAll(/\s+/g, ' ')]),
      [
        ['one', 'One', 1, 'first'],
        ['a--b', 'a & b', 2, 'x y'],
        ['one-1', 'One', 2, 'h z'],
      ],
    )
  })

  it('shows shell commands apart from their output', () => {
    const markdown = '```console\n$ curl a \\\n    b\n{"a":1}\n$ next\n```'
    const prompt = '<span class="prompt">$ </span>'
    assert.ok(
      textOf(readGuide(markdown, () => undefined).body).includes(
        `${prompt}<b>curl a \\\n    b</b>\n{&quot;a&quot;:1}\n${prompt}<b>next</b>`,
      ),
    )
  })

  it('makes checklists, and tables that scroll on their own', () => {
    assert.match(
      bodyOf('- [ ] **a** b'),
      /<li><input type="checkbox" aria-label="Done" \/><strong>a<\/strong>b<\/li>/,
    )
    assert.match(
      bodyOf('| a | b |\n|---|---|\n| `c\\|d` | e |'),
      /<div class="scroll"[^>]*tabindex="0">.*<th scope="col">a<\/th>.*<code>c\|d<\/code>/s,
    )
  })
})
