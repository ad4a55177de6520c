import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { fragment, sql } from '../../platform/db/sql.ts'
import { type TestService, startService } from '../../test/service.ts'
import { mayMention } from './may-mention.ts'

/* The erasure never sees what this filter skips, so every text that mentions somebody must pass it. */

let service: TestService
before(async () => {
  service = await startService()
})
after(() => service.stop())

const words = {
  emails: ['Z_e%ph@example.com'],
  phones: ['+1 (917) 555-0142'],
  names: ['Élodie \\ "Quill" Feather', 'Maya'],
}

const cases: readonly (readonly [text: string, may: boolean])[] = [
  ['Write to z_E%ph@EXAMPLE.com, please', true],
  ['Write to zxe-anything-ph@example.com', false],
  ['for ÉLODIE \\ "QUILL" FEATHER and two more', true],
  [JSON.stringify({ name: 'Élodie \\ "Quill" Feather' }), true],
  ['for Élodie "Quill" Feather', false],
  ['call 1 917.555.0142', true],
  ['call +1 (917)\u00A0555\n01\t42', true],
  ['call 1/917/5550142 ext. 7', true],
  ['call 1 917 555 0143', false],
  ['Maya was here', false],
  ['', false],
]

it('passes every text that mentions somebody, in any spelling', async () => {
  const found = await service.db.many(sql({ text: 'text' })`
    select page.text from unnest(${cases.map(([text]) => text)}::text[]) page (text)
     where ${mayMention(fragment('page.text'), words)}`)
  assert.deepEqual(
    found.map(({ text }) => text).toSorted(),
    cases
      .filter(([, may]) => may)
      .map(([text]) => text)
      .toSorted(),
  )
})

it('passes nothing without a word or a number to look for', async () => {
  const { may } = await service.db.one(sql({ may: 'bool' })`
    select ${mayMention(fragment(`'any text 1'`), { emails: [], phones: [], names: ['Maya'] })} as may`)
  assert.equal(may, false)
})
