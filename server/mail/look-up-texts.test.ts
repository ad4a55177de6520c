import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTextLookUp, keepTexts, textLimits } from './look-up-texts.ts'
import { startTextServer } from './test/text-server.ts'

describe('texts of the DNS', () => {
  it('are given record by record, the strings of one joined', async (t) => {
    const { server } = await startTextServer(t, () => [
      ['v=spf1 include:', 'relay.example.net -all'],
      ['other'],
    ])
    const texts = await createTextLookUp({ servers: [server] })('example.com')
    assert.deepEqual(texts.toSorted(), ['other', 'v=spf1 include:relay.example.net -all'])
  })

  it('are empty if there is no such name, or no text at it', async (t) => {
    const { server } = await startTextServer(t, (name) => (name.startsWith('no') ? 'no such name' : []))
    const lookUp = createTextLookUp({ servers: [server] })
    assert.deepEqual(await lookUp('no.example.com'), [])
    assert.deepEqual(await lookUp('empty.example.com'), [])
  })

  for (const trouble of ['server failure', 'silence'] as const) {
    it(`reject when the answer is unknown: ${trouble}`, async (t) => {
      const { server } = await startTextServer(t, () => trouble)
      await assert.rejects(createTextLookUp({ servers: [server], budgetMs: 150 })('example.com'))
    })
  }

  describe('kept', () => {
    const counted = (answer: (name: string) => Promise<readonly string[]>) => {
      const asked: string[] = []
      let now = 0
      const lookUp = keepTexts(
        (name) => {
          asked.push(name)
          return answer(name)
        },
        () => now,
      )
      return { asked, lookUp, pass: (ms: number) => (now += ms) }
    }

    it('an answer for five minutes, shared by those who ask meanwhile', async () => {
      const { asked, lookUp, pass } = counted(async (name) => [name])
      await Promise.all([lookUp('a'), lookUp('a'), lookUp('b')])
      pass(textLimits.keepMs - 1)
      assert.deepEqual(await lookUp('a'), ['a'])
      assert.deepEqual(asked, ['a', 'b'])
      pass(1)
      await lookUp('a')
      assert.deepEqual(asked, ['a', 'b', 'a'])
    })

    it('a fault for half a minute', async () => {
      const { asked, lookUp, pass } = counted(() => Promise.reject(new Error('SERVFAIL')))
      await assert.rejects(lookUp('a'))
      pass(textLimits.keepFaultMs - 1)
      await assert.rejects(lookUp('a'))
      assert.equal(asked.length, 1)
      pass(1)
      await assert.rejects(lookUp('a'))
      assert.equal(asked.length, 2)
    })

    it('no more than a thousand names: the oldest give way', async () => {
      const { asked, lookUp } = counted(async () => [])
      for (let name = 0; name <= 1_000; name++) await lookUp(String(name))
      await lookUp('1')
      assert.equal(asked.length, 1_001)
      await lookUp('0')
      assert.equal(asked.length, 1_002)
    })
  })
})
