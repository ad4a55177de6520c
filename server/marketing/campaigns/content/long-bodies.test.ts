import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { cleanAside, compileAside, readAside } from './long-bodies.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { cleaned } from '../actions.ts'
import { cleanBody } from './clean.ts'
import { compileMail } from './compile-mail.ts'
import type { MailHeader } from './mail-template.ts'
import { viewOf } from './mail-view.ts'
import { samplePerson } from './preview.ts'

const [own, other] = [1, 2] as VenueId[] as [VenueId, VenueId]
const paragraph =
  '<p style="color:red">Six kinds of <a href="https://venue.example/oysters">oysters</a>.</p>\n'
const long = paragraph.repeat(1_000)
const content = {
  subject: 'Oyster week, {{firstName|friends}}',
  preheader: 'All week',
  bodyHtml: long,
  bodyText: '',
  bodyFormat: 'guided' as const,
}
const venue = { name: 'The Blue Door', postalAddress: '1 Water Street', phone: null }
const header: MailHeader = {
  from: { name: 'The Blue Door', address: 'hello@blue-door.org' },
  to: 'maya@example.com',
  date: Temporal.Instant.from('2026-11-05T09:08:07Z'),
  messageId: '<c61.s12@blue-door.org>',
  unsubscribeUrl: samplePerson.unsubscribeUrl,
  unsubscribeMailbox: null,
  listId: '<blue-door.blue-door.org>',
  feedbackId: '61:3:campaign:blue-door',
}

/** How often the event loop went around, which is how often others had their turn, until something was done. */
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0
  let done = false
  const ended = work.finally(() => {
    done = true
  })
  while (!done) {
    await nextTurn()
    turns++
  }
  await ended
  return turns
}

describe('a long body', () => {
  it('that is out of bounds is refused before it waits for any other', async () => {
    const waiting = Promise.allSettled(Array.from({ length: 12 }, () => cleanAside(own, 'html', long)))
    const body = '<b></b>'.repeat(20_001)
    await assert.rejects(cleaned(own, { bodyFormat: 'html', bodyHtml: body }), /too many tags/)
    await waiting
  })

  it('is cleaned and rendered while others have their turn', async () => {
    assert.ok((await turnsDuring(cleanAside(own, 'guided', long))) > 20)
    assert.ok((await turnsDuring(compileAside(own, content, venue))) > 20)
    assert.ok((await turnsDuring(readAside(own, content, venue))) > 20)
  })

  it('comes out as a short one does', async () => {
    assert.equal(await cleanAside(own, 'guided', long), cleanBody('guided', long))
    const { mail, view } = await readAside(own, content, venue)
    const here = compileMail(content, venue)
    assert.equal(mail.htmlFor(samplePerson), here.htmlFor(samplePerson))
    assert.equal((await compileAside(own, content, venue)).textFor(samplePerson), here.textFor(samplePerson))
    assert.deepEqual(view, viewOf(content, here))
    // Encoded for the wire aside as well, which took seconds: here a message is only put together.
    assert.deepEqual(mail.messageFor(samplePerson, header), here.messageFor(samplePerson, header))
  })

  it('waits for one body of each other venue at most', async () => {
    const done: string[] = []
    const cleans = (venue: VenueId, name: string) =>
      cleanAside(venue, 'html', long).then(() => done.push(name))
    await Promise.all([
      ...['first', 'second', 'third', 'fourth'].map((name) => cleans(own, name)),
      cleans(other, 'another venue'),
    ])
    assert.deepEqual(done, ['first', 'second', 'another venue', 'third', 'fourth'])
  })

  it('is refused when too many of its venue wait, without a word to others, and taken again once they are done', async () => {
    const [results, others] = await Promise.all([
      Promise.allSettled(Array.from({ length: 12 }, () => cleanAside(own, 'html', long))),
      cleanAside(other, 'html', long),
    ])
    assert.deepEqual(
      results.map(({ status }) => status).filter((status) => status === 'rejected'),
      ['rejected'],
    )
    assert.equal(others, cleanBody('html', long))
    assert.equal(await cleanAside(own, 'html', long), cleanBody('html', long))
  })
})
