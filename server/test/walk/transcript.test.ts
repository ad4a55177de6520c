import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePlaceholders } from './placeholders.ts'
import {
  changedOf,
  readTranscript,
  withDifferences,
  withNewExchanges,
  writeTranscript,
} from './transcript.ts'

const first = new Map([
  ['a: one', '> GET /api/v1/me\n< 200\n< {"same":"=== a: two"}'],
  ['a: two', '> GET /api/v1/me\n< 401\n< {"error":"No."}'],
])
const changed = new Map([['a: two', '> GET /api/v1/me\n< 401\n< {"error":"No key."}']])
const difference = { exchanges: ['a: two'], why: 'It says more.' }

describe('the recording of the walk', () => {
  it('is read as it was written, with anything in a body', () => {
    assert.deepEqual([...readTranscript(writeTranscript(first))], [...first])
  })

  it('a difference changes its exchanges and no other', () => {
    const now = withDifferences(first, changed, [difference])
    assert.equal(now.get('a: one'), first.get('a: one'))
    assert.equal(now.get('a: two'), changed.get('a: two'))
    assert.deepEqual([...changedOf(first, now, [difference])], [...changed])
  })

  it('a difference that is not so cannot be listed, and none can be made without listing it', () => {
    const also = (title: string, lines: string) => new Map([...changed, [title, lines]])
    for (const [kept, listed, said] of [
      [changed, [], /No difference is listed for a: two/],
      [changed, [difference, difference], /listed twice/],
      [new Map(), [difference], /as it was recorded/],
      [new Map(first), [{ ...difference, exchanges: ['a: one', 'a: two'] }], /as it was recorded/],
      [also('a: three', '< 200'), [difference, { ...difference, exchanges: ['a: three'] }], /never recorded/],
    ] as const) {
      assert.throws(() => withDifferences(first, kept, listed), said)
    }
  })

  it('a currency gained counts in both forms of a body, and no other text does', () => {
    const gains = [{ gains: 'currency', why: 'It is named.' }]
    const was = new Map([['a: one', '< {"id":1}\n< the text "{\\"id\\":3}"']])
    const now = (code: string) =>
      new Map([
        ['a: one', `< {"id":1,"currency":"${code}"}\n< the text "{\\"id\\":3,\\"currency\\":\\"${code}\\"}"`],
      ])
    assert.deepEqual([...changedOf(was, now('USD'), gains)], [...now('USD')])
    assert.deepEqual([...changedOf(was, now('dollars'), gains)], [])
  })

  it('a field gained shows at any depth, with its values, where nothing else differs', () => {
    const gains = [{ gains: 'revision', why: 'It is counted.' }]
    const was = new Map([['a: one', '< [{"id":1},{"id":2}]\n< the text "{\\"id\\":3}"']])
    const is = '< [{"id":1,"revision":4},{"id":2,"revision":1}]\n< the text "{\\"id\\":3,\\"revision\\":1}"'
    const now = new Map([['a: one', is]])
    assert.deepEqual([...changedOf(was, now, gains)], [...now])
    assert.deepEqual([...withDifferences(was, now, gains)], [...now])
    for (const more of [
      is.replace('"id":1,', '"id":9,'),
      is.replace(':4}', ':4,"other":1}'),
      was.get('a: one'),
    ]) {
      const other = new Map([['a: one', more ?? '']])
      assert.deepEqual([...changedOf(was, other, gains)], [])
      assert.throws(() => withDifferences(was, other, gains), /No difference is listed for a: one/)
    }
  })

  it('recording once more adds exchanges and leaves those there are as they were', () => {
    const walked = new Map([
      ['a: one', '< 500'],
      ['a: three', '< 200'],
    ])
    assert.deepEqual(
      [...withNewExchanges(first, walked)],
      [
        ['a: one', first.get('a: one')],
        ['a: three', '< 200'],
        ['a: two', first.get('a: two')],
      ],
    )
  })

  it('what is random has one placeholder for one value, and nothing else is hidden', () => {
    const placeholders = makePlaceholders()
    const [one, other] = ['0b9e3c1e-6a35-4f0e-8a53-1c8f4b8f2d70', '5c1f7a90-93b5-4b8e-a7a3-6f0d2f1b7e44']
    placeholders.call('service_sk_mine', 'my key')
    assert.equal(
      placeholders.of(
        `service_sk_mine ${one} ${one} ${other} whsec_aB-9_ 2026-10-06T19:00:00.000Z 42`,
        'made',
      ),
      '<my key> <uuid of "made"> <uuid of "made"> <uuid 2 of "made"> <secret of "made"> 2026-10-06T19:00:00.000Z 42',
    )
    assert.equal(
      placeholders.of(`${other} {"durationMs":17} t=1791313200,v1=${'0f'.repeat(32)} V1-7K3M9Q`, 'later'),
      '<uuid 2 of "made"> {"durationMs":<ms>} t=1791313200,v1=<signature> <number of "later">',
    )
  })
})
