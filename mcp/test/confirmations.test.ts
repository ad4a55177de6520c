import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { confirmationMs, openConfirmations } from '../src/confirmations.ts'

const tool = 'create_task'
const args = { title: 'Call Ada', priority: 'High' }

class Uncertain extends Error {}

const start = () => {
  let at = 1_000
  const confirmations = openConfirmations(
    'key',
    () => at,
    (error) => error instanceof Uncertain,
  )
  const did: string[] = []
  const act = async ({ idempotencyKey }: { idempotencyKey: string }) => void did.push(idempotencyKey)
  return { confirmations, did, act, pass: (ms: number) => (at += ms) }
}

describe('confirmations', () => {
  it('are for the same call, in any order of its arguments', async () => {
    const { confirmations, did, act } = start()
    const token = confirmations.open(tool, args)
    await confirmations.use(token, tool, { priority: 'High', title: 'Call Ada' }, act)
    assert.equal(did.length, 1)
    assert.match(did[0] as string, /^mcp-[0-9a-f]{64}$/)
  })

  it('hold until their last millisecond, and no longer', async () => {
    const { confirmations, did, act, pass } = start()
    const [early, late] = [confirmations.open(tool, args), confirmations.open(tool, args)]
    pass(confirmationMs - 1)
    await confirmations.use(early, tool, args, act)
    pass(1)
    await assert.rejects(confirmations.use(late, tool, args, act), /more than ten minutes old/)
    assert.equal(did.length, 1)
  })

  it('work once, also while they are used', async () => {
    const { confirmations, did, act } = start()
    const token = confirmations.open(tool, args)
    const first = confirmations.use(token, tool, args, act)
    await assert.rejects(confirmations.use(token, tool, args, act), /being done at this moment/)
    await first
    await assert.rejects(confirmations.use(token, tool, args, act), /used already/)
    assert.equal(did.length, 1)
  })

  it('can be used again, under the same Idempotency-Key, when nobody knows whether it was done', async () => {
    const { confirmations, did, act } = start()
    const token = confirmations.open(tool, args)
    const lost = confirmations.use(token, tool, args, async (confirmed) => {
      await act(confirmed)
      throw new Uncertain('lost')
    })
    await assert.rejects(lost, Uncertain)
    await confirmations.use(token, tool, args, act)
    assert.equal(did[0], did[1])
  })

  it('whose outcome nobody knew in time say to look for the record, so that another does not double it', async () => {
    const { confirmations, act, pass } = start()
    const token = confirmations.open(tool, args)
    await assert.rejects(
      confirmations.use(token, tool, args, () => Promise.reject(new Uncertain())),
      Uncertain,
    )
    pass(confirmationMs)
    await assert.rejects(confirmations.use(token, tool, args, act), /Look for the record before/)
  })

  it('are spent by a refusal', async () => {
    const { confirmations, act } = start()
    const token = confirmations.open(tool, args)
    await assert.rejects(
      confirmations.use(token, tool, args, () => Promise.reject(new Error('no'))),
      /no/,
    )
    await assert.rejects(confirmations.use(token, tool, args, act), /used already/)
  })

  it('are never guessed from another: each has a token and an Idempotency-Key of its own', async () => {
    const { confirmations, did, act } = start()
    const tokens = Array.from({ length: 20 }, () => confirmations.open(tool, args))
    assert.equal(new Set(tokens).size, 20)
    for (const token of tokens) await confirmations.use(token, tool, args, act)
    assert.equal(new Set(did).size, 20)
  })

  it('are no more than fifty at once: the oldest ends', async () => {
    const { confirmations, act } = start()
    const [oldest] = Array.from({ length: 51 }, () => confirmations.open(tool, args))
    await assert.rejects(confirmations.use(oldest as string, tool, args, act), /No such confirmation/)
  })
})
