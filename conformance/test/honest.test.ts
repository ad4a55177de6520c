import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pick } from '../src/command-line.ts'
import { conformance, prepare, sections } from '../src/conformance.ts'
import { lines } from '../src/reports/lines.ts'
import { run } from '../src/run.ts'
import { type Practice, startPractice } from './practice.ts'

/** Statements that cannot be tested from outside, and those that need a key with few requests a minute. */
const untried = [
  'Idempotency 4',
  'Authentication 7.3',
  'Authentication 8',
  'Receiver rules 6',
  'Errors 503',
  'Limits 4',
]
/** Two days of the service's clock take half a minute of ours: `npm run check:conformance` tries it. */
const long = 'Receiver rules 2.4'

const quick = sections.map((section) => ({
  ...section,
  statements: section.statements.filter(({ number }) => `${section.name} ${number}` !== long),
}))

describe('the suite, on this service', () => {
  let practice: Practice
  before(async () => {
    practice = await startPractice()
  })
  after(() => practice.instance.stop())

  it('finds every statement kept', async () => {
    const results = await conformance({ ...practice.options, sections: quick })
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    assert.equal(failed.length, 0, failed.map((one) => `${one.section}\n${lines(one)}`).join('\n'))
    const notTried = results.filter(({ outcome }) => outcome === 'not tried')
    assert.deepEqual(
      notTried.map(({ id, because }) => (untried.includes(id) ? id : `${id}: ${because}`)),
      untried,
    )
  })

  it('leaves nothing behind that it can withdraw', async () => {
    const { call } = practice.instance
    assert.deepEqual((await call('GET', 'webhooks')).body, [])
    const ours = ({ guestName, contactName }: { guestName?: string; contactName?: string }): boolean =>
      /conformance-/i.test(guestName ?? contactName ?? '')
    for (const status of ['Requested', 'Confirmed']) {
      const { body } = await call('GET', `reservations?limit=100&status=${status}`)
      assert.deepEqual(body.filter(ours), [])
    }
    const open = await call('GET', 'leads?limit=100&stage=Inquiry')
    assert.deepEqual(open.body.filter(ours), [])
    const waiting = await call('GET', 'waitlist?limit=100&status=waiting')
    assert.deepEqual(waiting.body.filter(ours), [])
  })

  it('finds the limit of requests kept, with a key that may make few', async () => {
    const { setting, close } = await prepare(practice.options)
    const keys = { ...setting.keys, write: await practice.slowKey() }
    const results = await run({ setting: { ...setting, keys }, sections: pick(sections, ['Limits 4']) })
    await close()
    assert.deepEqual(
      results.map(({ outcome, failure }) => failure ?? outcome),
      ['passed'],
    )
  })

  it('does not try what it was given no means for, and says which', async () => {
    const { baseUrl, keys } = practice.options
    const few = pick(sections, [
      'Service 1.1',
      'Events 7',
      'Receiver rules 2.1',
      'Campaigns 5.2',
      'Tasks 1.1',
    ])
    const results = await conformance({ baseUrl, keys: { write: keys.write }, sections: few })
    assert.deepEqual(
      results.map(({ id, outcome, because }) => [id, because ?? outcome]),
      [
        ['Service 1.1', 'needs a key of another venue: --other-key'],
        ['Tasks 1.1', 'passed'],
        ['Campaigns 5.2', 'needs a key of kind automation: --automation-key'],
        ['Events 7', 'no key can cause this: needs --trigger'],
        ['Receiver rules 2.1', 'would take minutes or days: needs --clock'],
      ],
    )
  })

  it('does not begin without a service, or with a key of another kind', async () => {
    const { baseUrl, keys } = practice.options
    const begun = (url: string, write: string) => conformance({ baseUrl: url, keys: { write } })
    await assert.rejects(begun('http://127.0.0.1:1', keys.write), {
      name: 'CannotRun',
      message: /^http:\/\/127\.0\.0\.1:1 does not answer: .+\.$/,
    })
    await assert.rejects(begun(baseUrl, String(keys.read)), {
      name: 'CannotRun',
      message: 'the key must be of kind api and scope read_write.',
    })
    await assert.rejects(begun(baseUrl, 'nonsense'), { name: 'CannotRun', message: /answers 401: Send a/ })
  })
})
