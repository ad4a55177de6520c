import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atWork, followed, hiddenIn, idAt, make, wordsOf } from '../../../test/office-forms.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('the subscribers of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const home = '/office/subscribers'
  const events = async (venueId: number) =>
    (
      await rowsOf<{ name: string }>(service, 'select name from event where venue_id = $1 order by id', [
        venueId,
      ])
    ).map(({ name }) => name)

  it('are added with evidence, once, and shown with it', async () => {
    const { venue, visitor } = await atWork(service)
    const token = hiddenIn(await visitor.get(`${home}/new`), 'token')
    const fields = {
      token,
      email: 'Maya@Example.com',
      firstName: 'Maya',
      tag: 'Wine evenings',
      where: 'Card at the register',
      agreedOn: '2026-10-05',
      agreedTime: '7:30 pm',
      statement: 'Send me news.',
    }
    const added = await visitor.post(home, fields)
    idAt(added)
    const page = wordsOf(await followed(visitor, added))
    assert.ok(page.includes('They were added to the e-mail list.'))
    assert.ok(page.includes('Card at the register'))
    assert.ok(page.includes('October 5, 2026, 7:30 PM, recorded by staff'), 'the wall of the venue')
    assert.ok(page.includes('Send me news.'))
    const twice = await followed(visitor, await visitor.post(home, fields))
    assert.ok(wordsOf(twice).includes('This form was already sent'))
    const again = await followed(
      visitor,
      await make(visitor, home, { email: 'maya@example.com', where: 'Again' }),
    )
    assert.ok(wordsOf(again).includes('They were on the e-mail list already.'))
    assert.deepEqual(await events(venue.id), ['subscriber.added'])
  })

  it('have tags as they were written, a comma among them', async () => {
    const { visitor } = await atWork(service)
    const id = idAt(
      await make(visitor, home, { email: 'maya@example.com', where: 'Till', tag: 'Wine, Beer' }),
    )
    for (const path of [home, `${home}/${id}`]) {
      const { html } = await visitor.get(path)
      assert.match(html, />\s*Wine, Beer\s*<\/span>/, path)
    }
  })

  it('come back as the same form where the evidence cannot be right', async () => {
    const { visitor } = await atWork(service)
    for (const [fields, sentence] of [
      [{ email: 'maya@example.com' }, 'Where they agreed is missing.'],
      [{ email: 'maya@', where: 'Till' }, 'The email must be'],
      [{ email: 'maya@example.com', where: 'Till', agreedOn: '2026-10-07' }, 'cannot be in the future'],
      [{ email: 'maya@example.com', where: 'Till', agreedOn: '2026-02-31' }, 'must be a real date'],
    ] as const) {
      const refused = await make(visitor, home, { ...fields, statement: 'Send me news.' })
      assert.equal(refused.status, 400, sentence)
      assert.ok(wordsOf(refused).includes(sentence), sentence)
      assert.ok(refused.html.includes('Send me news.'))
    }
  })

  it('leave once, and only they themselves come back', async () => {
    const { venue, visitor } = await atWork(service)
    const id = idAt(await make(visitor, home, { email: 'maya@example.com', where: 'Till' }))
    const left = await followed(visitor, await visitor.post(`${home}/${id}/unsubscribe`))
    assert.ok(wordsOf(left).includes('Unsubscribed.'))
    assert.ok(!wordsOf(left).includes('They left'), 'staff did it')
    const twice = await followed(visitor, await visitor.post(`${home}/${id}/unsubscribe`))
    assert.ok(wordsOf(twice).includes('They were already off the list.'))
    const back = await followed(
      visitor,
      await make(visitor, home, { email: 'maya@example.com', where: 'Till' }),
    )
    assert.ok(wordsOf(back).includes('can only sign up again themselves'))
    assert.deepEqual(await events(venue.id), ['subscriber.added', 'subscriber.unsubscribed'])
  })

  it('never get mail once their address is on the do-not-email list, each with its reason', async () => {
    const { visitor } = await atWork(service)
    const id = idAt(await make(visitor, home, { email: 'maya@example.com', where: 'Till' }))
    const dne = `${home}/do-not-email`
    assert.ok(wordsOf(await visitor.get(dne)).includes('Nobody is on the do-not-email list.'))
    await visitor.post(dne, { email: 'maya@example.com', reason: 'spam_report' })
    const weaker = await followed(
      visitor,
      await visitor.post(dne, { email: 'maya@example.com', reason: 'bounced' }),
    )
    assert.ok(wordsOf(weaker).includes('a stronger reason'))
    assert.ok(wordsOf(weaker).includes('Reported mail as spam'))
    assert.ok(wordsOf(await visitor.get(`${home}/${id}`)).includes('Unsubscribed Reported mail as spam'))
    await visitor.post(dne, { email: 'bob@example.com', reason: 'bounced' })
    const refused = await followed(
      visitor,
      await make(visitor, home, { email: 'bob@example.com', where: 'Till' }),
    )
    assert.ok(wordsOf(refused).includes('is on the do-not-email list and was not added'))
    const wordless = await visitor.post(`${dne}/remove`, { address: 'bob@example.com', why: ' ' })
    assert.equal(wordless.status, 400)
    await visitor.post(`${dne}/remove`, { address: 'bob@example.com', why: 'Mailbox works again' })
    assert.ok(!(await visitor.get(dne)).html.includes('bob@example.com'))
    assert.equal(
      (await visitor.post(`${dne}/remove`, { address: 'bob@example.com', why: 'Again' })).status,
      404,
    )
    assert.ok(wordsOf(await visitor.get('/office/activity')).includes('Mailbox works again'))
    const unreadable = await visitor.post(dne, { email: 'nobody', reason: 'bounced' })
    assert.equal(unreadable.status, 400)
    assert.ok(unreadable.html.includes('value="nobody"'))
  })

  it('are listed by state and tag and found by address; the list is drawn as it grew', async () => {
    const { venue, visitor } = await atWork(service)
    const wine = idAt(await make(visitor, home, { email: 'wine@example.com', where: 'Till', tag: 'Wine' }))
    const gone = idAt(await make(visitor, home, { email: 'gone@example.com', where: 'Till' }))
    await visitor.post(`${home}/${gone}/unsubscribe`)
    await rowsOf(
      service,
      `update subscriber set created_at = '2026-08-10T12:00:00Z' where venue_id = $1 and id = $2`,
      [venue.id, gone],
    )
    const tag = (
      await rowsOf<{ id: string }>(service, 'select id from tag where venue_id = $1', [venue.id])
    )[0]?.id
    const shown = async (query: string) => {
      const { html } = await visitor.get(`${home}${query}`)
      return [wine, gone].filter((id) => html.includes(`${home}/${id}"`))
    }
    assert.deepEqual(await shown(''), [wine, gone])
    assert.deepEqual(await shown('?state=subscribed'), [wine])
    assert.deepEqual(await shown('?state=unsubscribed'), [gone])
    assert.deepEqual(await shown(`?tag=${tag}`), [wine])
    assert.deepEqual(await shown(`?state=unsubscribed&tag=${tag}`), [])
    assert.equal((await visitor.get(`${home}?q=WINE@example.com`)).to, `${home}/${wine}`)
    assert.ok(
      wordsOf(await visitor.get(`${home}?q=x@example.com`)).includes('x@example.com is not on the list.'),
    )
    const { html } = await visitor.get(home)
    assert.ok(
      html.includes('Jul 0, Aug 1, Sep 1, Oct 1"'),
      'one joined in August and left in October, one joined then',
    )
    assert.ok(html.includes('2 joined (the top of each bar) and 1 left'))
  })
})
