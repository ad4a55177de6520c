import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tagProblemsOf } from './tag-problems.ts'

describe('problems with merge tags', () => {
  it('say in which field they are, and where', () => {
    const bodyHtml =
      '<p>Hi {{x}}, {{first<b>Name}}</b> <a href="https://a.org/?n={{y}}">{{firstName}}</a></p>'
    const found = tagProblemsOf({
      subject: 'Hi {{firstName}}',
      preheader: '{{',
      bodyHtml,
      bodyText: '{{venueName}}',
      bodyFormat: 'guided',
    })
    assert.deepEqual(
      found.map(({ field, code, at }) => [field, code, at]),
      [
        ['subject', 'merge-tag-without-fallback', 3],
        ['preheader', 'merge-tag-unclosed', 0],
        ['bodyHtml', 'merge-tag-unknown', bodyHtml.indexOf('{{x')],
        ['bodyHtml', 'merge-tag-unclosed', bodyHtml.indexOf('{{first')],
        ['bodyHtml', 'merge-tag-unknown', bodyHtml.indexOf('{{y')],
        ['bodyHtml', 'merge-tag-without-fallback', bodyHtml.indexOf('{{firstName}}')],
      ],
    )
  })
})
