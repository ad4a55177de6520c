import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from '../../../mail/mailer.ts'
import { GIVE_UP_AFTER_HOURS, RETRY_AFTER_MINUTES, meaningOf, nextTry } from './schedule.ts'

const said = (
  kind: 'refused' | 'later',
  phase: 'sender' | 'recipient' | 'message',
  words: string,
  status = Number(words.slice(0, 3)),
): Outcome => ({ kind, phase, status, code: /^\d{3} (\d\.\d+\.\d+)/.exec(words)?.[1] ?? null, answer: words })

describe('what an outcome means', () => {
  const cases: [outcome: Outcome, meaning: string][] = [
    [{ kind: 'accepted', answer: '250 ok' }, 'sent'],
    [{ kind: 'unknown', answer: '' }, 'failed unknown'],
    [{ kind: 'relay-trouble', phase: 'connect', answer: '' }, 'given back'],
    [said('refused', 'sender', '550 5.1.8 no'), 'put off sender'],
    [said('refused', 'sender', '550 no'), 'put off sender'],
    [said('refused', 'recipient', '554 5.7.1 relay access denied'), 'put off sender'],
    [said('refused', 'message', '554 5.7.1 spam'), 'put off sender'],
    [said('refused', 'recipient', '550 no'), 'failed permanent'],
    [said('refused', 'recipient', '550 5.1.1 no'), 'failed permanent hard'],
    [said('refused', 'recipient', '550 5.1.10 null mx'), 'failed permanent hard'],
    [said('refused', 'recipient', '550 5.1.7 bad sender'), 'put off sender'],
    [
      said('refused', 'recipient', '550 5.1.8 <…>: Sender address rejected: Domain not found'),
      'put off sender',
    ],
    [said('refused', 'recipient', '530 Authentication required'), 'put off sender'],
    [said('refused', 'recipient', '552 5.2.2 full'), 'failed permanent soft'],
    [said('refused', 'message', '550 5.1.1 no'), 'failed permanent'],
    [said('later', 'recipient', '450 4.2.0 greylisted'), 'put off'],
    [said('later', 'message', '451 4.3.0 later'), 'put off'],
    [said('later', 'message', '451 4.7.1 rate limit exceeded'), 'put off slower'],
    [said('later', 'recipient', '452 4.5.3 too many recipients'), 'put off slower'],
    [said('later', 'message', '454 4.7.0 x'), 'put off slower'],
    [said('later', 'sender', '421 4.7.0 x'), 'put off slower'],
  ]
  for (const [outcome, meaning] of cases) {
    it(`${outcome.kind} ${outcome.answer}: ${meaning}`, () => {
      const seen = meaningOf(outcome)
      const words = [
        seen.kind,
        seen.kind === 'failed' && seen.why,
        seen.kind === 'failed' && (seen.bounce?.kind ?? false),
        seen.kind === 'put off' && seen.slower && 'slower',
        seen.kind === 'put off' && seen.sender && 'sender',
      ]
      assert.equal(words.filter((word) => word !== false).join(' '), meaning)
    })
  }
})

describe('a copy that is put off', () => {
  it('is tried again after 1, 5, 15, 60 minutes, 3, 6 and 12 hours, and given up within a day', () => {
    const first = Temporal.Instant.from('2026-10-06T19:00:00Z')
    let now = first
    for (const [n, minutes] of RETRY_AFTER_MINUTES.entries()) {
      const next = nextTry(n + 1, first, now)
      assert.equal(next?.since(now).total('minutes'), minutes)
      now = next
    }
    assert.equal(nextTry(RETRY_AFTER_MINUTES.length + 1, first, now), undefined)
    assert.ok(now.since(first).total('hours') < GIVE_UP_AFTER_HOURS)
    assert.equal(nextTry(2, first, first.add({ hours: 24 })), undefined)
  })
})
