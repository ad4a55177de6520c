import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type LinkPurpose, makeLinkToken } from '../../mail/link-token.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../test/service.ts'

describe('guest pages', () => {
  let service: TestService
  let venue: TestVenue
  let people = 0
  before(async () => {
    service = await startService()
    venue = await service.venue({ name: 'Tom & <b>Ann</b>’s' })
  })
  after(() => service.stop())

  const subscriber = async (at = venue): Promise<{ id: number; email: string }> => {
    const email = `Guest${++people}@mail.example.com`
    const { body } = await service.call('POST', '/api/v1/subscribers', {
      key: at.key,
      body: { email, consent: { source: 'signup form', statement: 'Yes, please.' } },
    })
    return { id: body.subscriber.id, email }
  }
  const link = (purpose: LinkPurpose, person: number, at = venue, campaign = 0): string =>
    `/${purpose === 'unsubscribe' ? 'u' : 'p'}/${makeLinkToken(service.context.secrets, purpose, { venue: at.id, subscriber: person, campaign })}`
  const page = async (
    method: string,
    path: string,
    body?: string,
    type = 'application/x-www-form-urlencoded',
  ) => {
    const answer = await fetch(service.url + path, {
      method,
      redirect: 'manual',
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const statusOf = async (id: number): Promise<string> =>
    (await rowsOf(service, `select status from subscriber where id = ${id}`))[0]?.['status'] as string
  const eventsOf = (id: number) =>
    rowsOf(
      service,
      `select name from event where name = 'subscriber.unsubscribed' and (data::json->>'id')::bigint = ${id}`,
    )

  describe('one-click unsubscribe (RFC 8058)', () => {
    it('acts at once: no cookie, no redirect, no sign-in, and 200 on repeat', async () => {
      const { id } = await subscriber()
      for (let i = 0; i < 3; i++) {
        const answer = await page('POST', link('unsubscribe', id), 'List-Unsubscribe=One-Click')
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('set-cookie'), null)
        assert.match(answer.text, /You are unsubscribed/)
        assert.equal(await statusOf(id), 'unsubscribed')
      }
      assert.equal((await eventsOf(id)).length, 1, 'one event')
    })

    it('takes multipart forms, strange bodies and none at all', async () => {
      const bodies = [
        [
          '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
          'multipart/form-data; boundary=x',
        ],
        ['{', 'application/json'],
        ['', 'text/plain'],
        [undefined, ''],
      ] as const
      for (const [body, type] of bodies) {
        const { id } = await subscriber()
        assert.equal((await page('POST', link('unsubscribe', id), body, type)).status, 200, type)
        assert.equal(await statusOf(id), 'unsubscribed', type)
      }
    })

    it('twenty at once take somebody off once', async () => {
      const { id } = await subscriber()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => page('POST', link('unsubscribe', id), 'List-Unsubscribe=One-Click')),
      )
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.equal((await eventsOf(id)).length, 1)
    })

    it('comes from anywhere, since mail services press the button for the guest', async () => {
      const { id } = await subscriber()
      const answer = await fetch(service.url + link('unsubscribe', id), {
        method: 'POST',
        headers: { origin: 'https://mail.example.net', 'sec-fetch-site': 'cross-site' },
      })
      assert.equal(answer.status, 200)
      assert.equal(await statusOf(id), 'unsubscribed')
    })
  })

  it('GET and HEAD change nothing: scanners of mail follow every link', async () => {
    const { id } = await subscriber()
    for (const method of ['GET', 'HEAD']) {
      for (const purpose of ['unsubscribe', 'preferences'] as const) {
        const answer = await page(method, link(purpose, id))
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('x-robots-tag'), 'noindex, nofollow')
        assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      }
    }
    assert.equal(await statusOf(id), 'subscribed')
    assert.equal((await page('GET', link('unsubscribe', id))).text.match(/<button/g)?.length, 1)
  })

  it('a page never shows the whole address, and shows names as text', async () => {
    const { id, email } = await subscriber()
    for (const purpose of ['unsubscribe', 'preferences'] as const) {
      const { text } = await page('GET', link(purpose, id))
      assert.ok(!text.includes(email))
      assert.match(text, /G•••@mail\.example\.com/)
      assert.match(text, /Tom &amp; &lt;b&gt;Ann&lt;\/b&gt;/)
      assert.doesNotMatch(text, /<b>Ann/)
    }
  })

  it('a damaged link, one for another purpose and one of a venue that is gone get the same 404', async () => {
    const { id } = await subscriber()
    const good = link('unsubscribe', id)
    const strange = { ...venue, id: 999_999 as TestVenue['id'] }
    for (const path of [
      good.slice(0, -1),
      `${good}A`,
      good.replace('/u/', '/p/'),
      '/u/x',
      link('unsubscribe', id, strange),
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await page(method, path)
        assert.equal(answer.status, 404, path)
        assert.match(answer.text, /We can’t find anything at this link/)
      }
    }
    assert.equal(await statusOf(id), 'subscribed')
    const wrongMethod = await page('DELETE', good)
    assert.equal(wrongMethod.status, 405)
    assert.equal(wrongMethod.headers.get('allow'), 'GET, HEAD, POST')
  })

  it('speaks the language somebody signed up in, else the browser’s, on every page of leaving and choosing', async () => {
    const { id } = await subscriber()
    const at = async (path: string, headers: Record<string, string>, form?: string) =>
      (
        await fetch(service.url + path, {
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          ...(form !== undefined && { method: 'POST', body: form }),
        })
      ).text()
    const german = { 'accept-language': 'de-DE,de;q=0.9' }
    const english = { 'accept-language': 'en' }
    assert.match(await at(link('unsubscribe', id), german), /<html lang="de">[\s\S]*Abmelden\?/)
    await rowsOf(service, `update subscriber set language = 'es' where id = ${id}`)
    assert.match(await at(link('unsubscribe', id), english), /¿Darse de baja\?/)
    assert.match(await at(`${link('unsubscribe', id)}?lang=fr`, english), /Vous désinscrire/)
    const saved = await at(link('preferences', id), english, 'pause=30')
    assert.match(saved, /Guardado\.[\s\S]*Ningún correo hasta el 5 de noviembre de 2026/)
    assert.doesNotMatch(saved, /Save|Unsubscribe|What to send|No email/)
    assert.match(await at(link('preferences', id), english, 'do=leave'), /Se ha dado de baja/)
    assert.match(await at(link('preferences', 123_456), german), /Sie stehen nicht auf der Liste/)
    assert.match(await at('/u/x', german), /lang="de"/)
    assert.match(await at('/c/x', german), /Hier ist nichts/)
  })

  it('a link of one venue reaches nobody of another', async () => {
    const other = await service.venue()
    const { id } = await subscriber(other)
    await page('POST', link('unsubscribe', id, venue), 'List-Unsubscribe=One-Click')
    assert.equal(await statusOf(id), 'subscribed')
  })

  it('a guest may leave a venue whose account is paused', async () => {
    const other = await service.venue()
    const { id } = await subscriber(other)
    await service.db.session((client) =>
      client.query(`update venue set paused = true where id = ${other.id}`),
    )
    assert.equal((await page('POST', link('unsubscribe', id, other))).status, 200)
    assert.equal(await statusOf(id), 'unsubscribed')
  })

  it('somebody erased since reads that they are not on the list', async () => {
    assert.match((await page('GET', link('preferences', 123_456))).text, /You are not on the list/)
    assert.equal((await page('POST', link('unsubscribe', 123_456))).status, 200)
  })

  describe('preferences', () => {
    const choicesOf = async (id: number) =>
      (
        await rowsOf(
          service,
          `select s.mail_paused_until, s.birthday_mails, s.updated_at,
                  (select string_agg(t.name, ',' order by t.name) from subscriber_tag g join tag t on t.id = g.tag_id
                    where g.subscriber_id = s.id) as tags,
                  (select string_agg(t.name, ',' order by t.name) from topic_off o join tag t on t.id = o.tag_id
                    where o.subscriber_id = s.id) as off
             from subscriber s where s.id = ${id}`,
        )
      )[0]

    it('pause, birthday and topics are kept as chosen; a tag that is no topic is never shown', async () => {
      const { id } = await subscriber()
      await service.db.session((client) =>
        client.query(`
          insert into tag (venue_id, name, name_key, topic) values
            (${venue.id}, 'Wine evenings', 'wine evenings', true), (${venue.id}, 'Brunch', 'brunch', true),
            (${venue.id}, 'big spender', 'big spender', false);
          insert into subscriber_tag select venue_id, ${id}, id from tag where venue_id = ${venue.id} and name <> 'Brunch'`),
      )
      const shown = (await page('GET', link('preferences', id))).text
      assert.doesNotMatch(shown, /big spender/)
      const topic = (name: string): string =>
        new RegExp(`name="topic" value="(\\d+)"[^>]*>\\s*${name}`).exec(shown)?.[1] as string
      assert.match(shown, new RegExp(`value="${topic('Wine evenings')}" checked`))
      assert.doesNotMatch(shown, new RegExp(`value="${topic('Brunch')}" checked`))

      const saved = await page(
        'POST',
        link('preferences', id),
        `pause=30&topic=${topic('Brunch')}&topic=999999`,
      )
      assert.match(saved.text, /Saved\./)
      assert.match(saved.text, /No email until November 5, 2026/)
      const row = await choicesOf(id)
      assert.equal(
        Temporal.Instant.from(String(row?.['mail_paused_until'])).toString(),
        Temporal.Instant.from(aTuesdayAfternoon).add({ hours: 720 }).toString(),
      )
      assert.equal(row?.['birthday_mails'], false)
      assert.equal(row?.['tags'], 'Brunch,Wine evenings,big spender', 'what staff filed stays')
      assert.equal(row?.['off'], 'Wine evenings')

      await page('POST', link('preferences', id), `pause=keep&birthday=yes&topic=${topic('Wine evenings')}`)
      const again = await choicesOf(id)
      assert.notEqual(again?.['mail_paused_until'], null)
      assert.equal(again?.['birthday_mails'], true)
      assert.equal(again?.['off'], 'Brunch')

      await page('POST', link('preferences', id), 'pause=&birthday=yes')
      assert.equal((await choicesOf(id))?.['mail_paused_until'], null)
    })

    it('what a guest chose is in the trail, without their address', async () => {
      const { id, email } = await subscriber()
      await page('POST', link('preferences', id), 'pause=90')
      const rows = await rowsOf(
        service,
        `select actor_kind, actor_name, after from activity where action = 'choose_mail' and record_id = ${id}`,
      )
      assert.equal(rows.length, 1)
      assert.equal(rows[0]?.['actor_kind'], 'guest')
      assert.ok(!JSON.stringify(rows).includes(email))
    })

    it('unsubscribing from everything is one press', async () => {
      const { id } = await subscriber()
      assert.match((await page('POST', link('preferences', id), 'do=leave')).text, /You are unsubscribed/)
      assert.equal(await statusOf(id), 'unsubscribed')
      assert.match((await page('GET', link('preferences', id))).text, /You are unsubscribed/)
    })
  })
})
