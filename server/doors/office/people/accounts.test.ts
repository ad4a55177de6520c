import { createKey } from '../../../integrations/access/keys.ts'
import { invite as makeInvitation } from '../../../core/staff/invitations.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../platform/db/sql.ts'
import { addStaff } from '../../../core/staff/actions.ts'
import { hashPassword } from '../../../core/staff/password.ts'
import { closeSessionsOf } from '../../../core/staff/sessions.ts'
import { codeAt } from '../../../core/staff/totp.ts'
import { eventually } from '../../../test/eventually.ts'
import { waitingForLock } from '../../../test/rows.ts'
import { make, wordsOf } from '../../../test/office-forms.ts'
import { type OfficeVisitor, staffOf, testPassword, visitOffice, secretIn } from '../../../test/office.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'

const another = 'another horse altogether'

/** What the trail calls somebody who has given no name. */
const nameIn = (email: string): string => email.split('@')[0] as string

describe('accounts of a venue', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  let people = 0
  const someone = async (venue: TestVenue, role: 'owner' | 'manager' | 'host') => {
    const account = await staffOf(service, venue, role, `${role}.${++people}@example.com`)
    const visitor = visitOffice(service)
    await visitor.signIn(account.email)
    return { ...account, visitor }
  }
  const house = async () => {
    const venue = await service.venue()
    return {
      venue,
      owner: await someone(venue, 'owner'),
      second: await someone(venue, 'owner'),
      manager: await someone(venue, 'manager'),
      host: await someone(venue, 'host'),
    }
  }
  const isIn = async (visitor: OfficeVisitor) => (await visitor.get('/office/account')).status === 200
  const comesInWith = async (email: string, password: string) =>
    (await visitOffice(service).post('/office/sign-in', { email, password })).status === 303
  const trail = async (visitor: OfficeVisitor) => wordsOf(await visitor.get('/office/activity'))
  const linkFor = (owner: OfficeVisitor, id: number, more: Record<string, string> = {}) =>
    make(owner, `/office/people/${id}/password-link`, { password: testPassword, ...more })
  const linkIn = (html: string) => /\/office\/new-password\/[\w-]{43}/.exec(html)?.[0] ?? ''
  const withCodes = async (visitor: OfficeVisitor): Promise<string> => {
    const begun = await visitor.post('/office/account/codes/begin', { password: testPassword })
    const secret = secretIn(begun.html)
    const step = Temporal.Instant.from(aTuesdayAfternoon).epochMilliseconds / 30_000
    await visitor.post('/office/account/codes/on', { code: codeAt(secret, step) })
    return secret
  }

  describe('one changes one’s own password', () => {
    it('with the password one has; every other session ends and this one goes on', async () => {
      const { host, owner } = await house()
      const tablet = visitOffice(service)
      await tablet.signIn(host.email)
      const seen = await host.visitor.post('/office/account/password', {
        password: testPassword,
        chosen: another,
      })
      assert.deepEqual([seen.status, seen.to], [303, '/office/account'])
      assert.deepEqual([await isIn(host.visitor), await isIn(tablet)], [true, false])
      assert.equal(await comesInWith(host.email, testPassword), false)
      assert.equal(await comesInWith(host.email, another), true)
      assert.match(
        await trail(owner.visitor),
        new RegExp(`Changed the password of ${nameIn(host.email)} by ${nameIn(host.email)} `),
      )
    })

    it('refuses a wrong one, a short one and the same again, each with a sentence, and changes nothing', async () => {
      const { host } = await house()
      for (const [password, chosen, says] of [
        ['not the one I have', another, /That password is not right/],
        [testPassword, 'short', /12 to 200/],
        [testPassword, testPassword, /is already your password/],
        ['', another, /That password is not right/],
      ] as const) {
        const seen = await host.visitor.post('/office/account/password', { password, chosen })
        assert.equal(seen.status, 400)
        assert.match(seen.words, says)
        assert.ok(!seen.html.includes(chosen) || chosen === 'short')
      }
      assert.equal(await comesInWith(host.email, testPassword), true)
    })

    it('works for reviewers, who have no venue', async () => {
      const email = 'reviewer.password@example.org'
      await addStaff(service.context, service.db, null, { email, role: 'reviewer', password: testPassword })
      const reviewer = visitOffice(service)
      await reviewer.signIn(email)
      const seen = await reviewer.post('/office/account/password', {
        password: testPassword,
        chosen: another,
      })
      assert.equal(seen.status, 303)
      assert.equal(await comesInWith(email, another), true)
    })
  })

  describe('an owner’s link for a new password', () => {
    it('is shown once, works once, ends all sessions and never shows a password', async () => {
      const { owner, host } = await house()
      const made = await linkFor(owner.visitor, host.id)
      const link = linkIn(made.html)
      assert.ok(link, made.words)
      for (const page of ['/office/people', `/office/people/${host.id}`, '/office/activity'])
        assert.ok(!(await owner.visitor.get(page)).html.includes(link.slice(-43)), page)
      assert.equal(await isIn(host.visitor), true, 'a link alone ends nothing')

      const stranger = visitOffice(service)
      assert.ok((await stranger.get(link)).words.includes(host.email))
      const short = await stranger.post(link, { password: 'short' })
      assert.equal(short.status, 400)
      assert.match(short.words, /12 to 200/)
      const chosen = await stranger.post(link, { password: another })
      assert.equal(chosen.status, 200)
      assert.ok(!chosen.html.includes(another))
      assert.equal(await isIn(stranger), false, 'they sign in themselves')
      assert.equal(await isIn(host.visitor), false)
      assert.equal((await visitOffice(service).get(link)).status, 404)
      assert.equal((await visitOffice(service).post(link, { password: testPassword })).status, 404)
      assert.equal(await comesInWith(host.email, another), true)
      const told = await trail(owner.visitor)
      assert.match(told, /Created a password reset link for \S+ by owner/)
      assert.match(
        told,
        new RegExp(
          `Used a link to choose a new password for ${nameIn(host.email)} by ${nameIn(host.email)} `,
        ),
      )
    })

    it('works for a day, and of two only the newer; of two who use it at once one does', async () => {
      const { owner, host } = await house()
      const [older, newer] = [await linkFor(owner.visitor, host.id), await linkFor(owner.visitor, host.id)]
      assert.equal((await visitOffice(service).get(linkIn(older.html))).status, 404)
      service.setClock('2026-10-07T19:00:01Z')
      assert.equal((await visitOffice(service).get(linkIn(newer.html))).status, 404)
      service.setClock('2026-10-07T18:59:00Z')
      const both = await Promise.all(
        ['the first of two words', 'the second of two words'].map((password) =>
          visitOffice(service).post(linkIn(newer.html), { password }),
        ),
      )
      assert.deepEqual(
        both.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 404],
      )
      service.setClock(aTuesdayAfternoon)
    })

    it('ends with the account or the role of the owner who made it; other links of the venue stay', async () => {
      for (const end of ['shut', 'role']) {
        const { owner, second, host } = await house()
        const theirs = linkIn((await linkFor(second.visitor, owner.id)).html)
        const others = linkIn((await linkFor(owner.visitor, host.id)).html)
        const elsewhere = await house()
        const apart = linkIn((await linkFor(elsewhere.second.visitor, elsewhere.manager.id)).html)
        assert.equal((await visitOffice(service).get(theirs)).status, 200)
        await owner.visitor.post(`/office/people/${second.id}/${end}`, {
          password: testPassword,
          was: 'owner',
          role: 'manager',
        })
        assert.equal((await visitOffice(service).get(theirs)).status, 404)
        assert.equal((await visitOffice(service).post(theirs, { password: another })).status, 404)
        assert.ok(await comesInWith(owner.email, testPassword), 'the owner keeps the password they have')
        for (const link of [others, apart]) assert.equal((await visitOffice(service).get(link)).status, 200)
      }
    })

    it('leaves codes on', async () => {
      const { owner, host } = await house()
      await withCodes(host.visitor)
      const link = linkIn((await linkFor(owner.visitor, host.id)).html)
      assert.match((await visitOffice(service).post(link, { password: another })).words, /authenticator app/)
      const visitor = visitOffice(service)
      const asked = await visitor.post('/office/sign-in', { email: host.email, password: another })
      assert.equal(asked.status, 200)
      assert.match(asked.html, /name="code"/)
      assert.equal(await isIn(visitor), false)
    })

    it('is made by an owner of the same venue with their own password only, never for a shut account', async () => {
      const { owner, second, manager, host } = await house()
      for (const visitor of [manager.visitor, host.visitor])
        assert.equal((await linkFor(visitor, second.id)).status, 403)
      const stranger = await house()
      assert.equal((await linkFor(stranger.owner.visitor, host.id)).status, 404)
      assert.equal((await stranger.owner.visitor.get(`/office/people/${host.id}`)).status, 404)
      const wrong = await linkFor(owner.visitor, host.id, { password: 'not mine at all' })
      assert.equal(wrong.status, 400)
      assert.match(wrong.words, /That password or code is not right/)
      assert.equal((await linkFor(owner.visitor, owner.id)).status, 409)

      const link = linkIn((await linkFor(owner.visitor, host.id)).html)
      await owner.visitor.post(`/office/people/${host.id}/shut`)
      assert.equal((await visitOffice(service).get(link)).status, 404)
      assert.equal((await linkFor(owner.visitor, host.id)).status, 409)
      await owner.visitor.post(`/office/people/${host.id}/open`)
      assert.equal((await visitOffice(service).get(link)).status, 404, 'nor after it was opened again')
    })

    it('is made once by a form sent twice', async () => {
      const { owner, host } = await house()
      const token = randomUUID()
      const link = linkIn((await linkFor(owner.visitor, host.id, { token })).html)
      const again = await linkFor(owner.visitor, host.id, { token })
      assert.deepEqual([again.status, linkIn(again.html)], [303, ''])
      assert.equal((await visitOffice(service).get(link)).status, 200, 'the first still works')
    })
  })

  describe('a password that is reset in the very moment', () => {
    /** Holds the account, has `meanwhile` begin and wait for it, then changes the password and ends the sessions. */
    const resetDuring = async <T>(id: number, meanwhile: () => Promise<T>): Promise<T> => {
      let begun: Promise<T> | undefined
      await service.db.transaction(async (db) => {
        const hash = await hashPassword(another, service.context.random)
        await db.run(sql()`update staff set password_hash = ${hash} where id = ${id}`)
        begun = meanwhile()
        await eventually(async () => (await waitingForLock(service)) === 1)
        await closeSessionsOf(db, id)
      })
      return begun as Promise<T>
    }

    it('lets nobody in with the old one', async () => {
      const { host } = await house()
      const visitor = visitOffice(service)
      const seen = await resetDuring(host.id, () => visitor.signIn(host.email))
      assert.equal(seen.status, 400)
      assert.equal(await isIn(visitor), false)
    })

    it('holds against a change by somebody who was signed in', async () => {
      const { host } = await house()
      const fields = { password: testPassword, chosen: 'a third horse of them' }
      const seen = await resetDuring(host.id, () => host.visitor.post('/office/account/password', fields))
      assert.equal(seen.status, 409)
      assert.match(seen.words, /You were signed out meanwhile/)
      assert.equal(await comesInWith(host.email, another), true)
    })
  })

  describe('roles', () => {
    const give = (visitor: OfficeVisitor, id: number, was: string, role: string, password = testPassword) =>
      visitor.post(`/office/people/${id}/role`, { was, role, password })

    it('are changed by an owner; the person signs in again', async () => {
      const { owner, host } = await house()
      assert.equal((await host.visitor.get('/office/settings')).status, 403)
      assert.equal((await give(owner.visitor, host.id, 'host', 'manager')).status, 303)
      assert.equal(await isIn(host.visitor), false)
      await host.visitor.signIn(host.email)
      assert.equal((await host.visitor.get('/office/activity')).status, 200)
      assert.match(
        await trail(owner.visitor),
        /Changed the role of \S+ by \S+ role: host → manager email: host/,
      )
    })

    it('are not changed without the owner’s password, by others, from outside, to nothing, or by an old page', async () => {
      const { owner, manager, host } = await house()
      assert.equal((await give(owner.visitor, host.id, 'host', 'owner', 'not mine')).status, 400)
      assert.equal((await give(owner.visitor, host.id, 'host', 'king')).status, 400)
      assert.equal((await give(owner.visitor, host.id, 'host', 'reviewer')).status, 400)
      assert.equal((await give(manager.visitor, manager.id, 'manager', 'owner')).status, 403)
      const stranger = await house()
      assert.equal((await give(stranger.owner.visitor, host.id, 'host', 'manager')).status, 404)
      const old = await give(owner.visitor, host.id, 'manager', 'owner')
      assert.equal(old.status, 409)
      assert.match(old.words, /is now a host; reload/)
      assert.equal(await isIn(host.visitor), true)
    })

    it('a venue keeps an owner: not oneself, and of two who demote or shut each other at once one wins', async () => {
      for (const against of ['role', 'shut']) {
        const { owner, second, venue } = await house()
        assert.equal((await give(owner.visitor, owner.id, 'owner', 'host')).status, 409)
        assert.equal((await owner.visitor.post(`/office/people/${owner.id}/shut`)).status, 409)
        const fields = { was: 'owner', role: 'host', password: testPassword }
        const both = await Promise.all([
          owner.visitor.post(`/office/people/${second.id}/${against}`, fields),
          second.visitor.post(`/office/people/${owner.id}/${against}`, fields),
        ])
        assert.equal(both.filter(({ status, to }) => status === 303 && !to?.includes('sign-in')).length, 1)
        const { owners } = await service.db.one(sql({ owners: 'int8' })`
          select count(*) as owners from staff
           where venue_id = ${venue.id} and role = 'owner' and disabled_at is null`)
        assert.equal(owners, 1)
      }
    })
  })

  it("an owner turns off the codes of somebody who lost their phone, with the owner's own password", async () => {
    const { owner, manager, host } = await house()
    const reset = (visitor: OfficeVisitor, id: number, password = testPassword) =>
      visitor.post(`/office/people/${id}/reset-codes`, { password })
    assert.equal((await reset(owner.visitor, host.id)).status, 409, 'nothing to reset yet')
    await withCodes(host.visitor)
    assert.equal((await reset(manager.visitor, host.id)).status, 403)
    assert.equal((await reset(owner.visitor, host.id, 'not mine')).status, 400)
    assert.equal((await reset(owner.visitor, owner.id)).status, 409)
    assert.equal(await comesInWith(host.email, testPassword), false)
    assert.equal((await reset(owner.visitor, host.id)).status, 303)
    assert.equal(await isIn(host.visitor), false)
    assert.equal(await comesInWith(host.email, testPassword), true)
    const told = await trail(owner.visitor)
    assert.match(told, /Reset sign-in codes for host.\d+ by owner/)
    assert.match(told, /Turned sign-in codes on for \S+ by host/)
    assert.ok(!/[A-Z2-7]{32}/.test(told), 'no secret in the trail')
  })

  describe('invitations', () => {
    const inviteLink = (html: string) => /\/office\/invitations\/[\w-]{43}/.exec(html)?.[0] ?? ''
    const invite = (visitor: OfficeVisitor, email: string, more: Record<string, string> = {}) =>
      make(visitor, '/office/people/invitations', {
        email,
        role: 'host',
        password: testPassword,
        ...more,
      })

    it('are listed with role and end, and die when they are revoked', async () => {
      const { owner, manager } = await house()
      const link = inviteLink((await invite(owner.visitor, 'nia.1@example.com')).html)
      const listed = await owner.visitor.get('/office/people')
      assert.match(wordsOf(listed), /nia\.1@example\.com by owner\S+, until October 9, 2026, 3:00\sPM host/)
      assert.ok(!listed.html.includes(link.slice(-43)))
      const id = /invitations\/(\d+)\/revoke/.exec(listed.html)?.[1] ?? ''
      const path = `/office/people/invitations/${id}/revoke`
      assert.equal((await manager.visitor.post(path)).status, 403)
      assert.equal((await (await house()).owner.visitor.post(path)).status, 404)
      assert.equal((await visitOffice(service).get(link)).status, 200)
      assert.equal((await owner.visitor.post(path)).status, 303)
      assert.equal((await visitOffice(service).get(link)).status, 404)
      assert.equal((await owner.visitor.post(path)).status, 404)
      const { words } = await owner.visitor.get('/office/people')
      assert.match(words, /The invitation for nia\.1@example\.com was revoked; its link no longer works\./)
      assert.ok(!(await owner.visitor.get('/office/people')).html.includes('nia.1@example.com'))
      const told = await trail(owner.visitor)
      assert.match(told, /Revoked an invitation by owner/)
      assert.match(told, /Created an invitation by owner/)
    })

    it('end with the account or the role of their creator', async () => {
      for (const end of ['shut', 'role']) {
        const { owner, venue } = await house()
        const second = await staffOf(service, venue, 'owner')
        const maker = visitOffice(service)
        await maker.signIn(second.email)
        const theirs = inviteLink((await invite(maker, `zoe.${end}@example.com`, { role: 'owner' })).html)
        const others = inviteLink((await invite(owner.visitor, `sam.${end}@example.com`)).html)
        await createKey(service.context, service.db, venue.id, {
          kind: 'api',
          scope: 'read',
          name: 'Reports',
          createdBy: second.email,
        })
        const form = await owner.visitor.get(`/office/people/${second.id}`)
        assert.match(form.words, /API keys they created.*Reports/, 'what would go on working')
        await owner.visitor.post(`/office/people/${second.id}/${end}`, {
          password: testPassword,
          was: 'owner',
          role: 'host',
        })
        assert.equal((await visitOffice(service).get(theirs)).status, 404)
        const taken = await visitOffice(service).post(theirs, { name: 'Zoe', password: testPassword })
        assert.equal(taken.status, 404)
        assert.equal((await visitOffice(service).get(others)).status, 200, 'other owners’ stay')
      }
    })

    it('are void when their maker may no longer invite, however they came to be', async () => {
      const { venue } = await house()
      const made = await makeInvitation(service.context, service.db, venue.id, {
        email: 'ivy@example.com',
        role: 'owner',
        invitedBy: 'nobody.any.more@example.com',
      })
      assert.equal((await visitOffice(service).get(`/office/invitations/${made}`)).status, 404)
    })

    it('the newest of an address counts, in whichever letters', async () => {
      const { owner, venue } = await house()
      const older = inviteLink((await invite(owner.visitor, 'nia.2@example.com')).html)
      const newer = inviteLink((await invite(owner.visitor, 'NIA.2@example.com', { role: 'manager' })).html)
      assert.equal((await visitOffice(service).get(older)).status, 404)
      assert.equal(
        (await visitOffice(service).post(older, { name: 'Nia', password: testPassword })).status,
        404,
      )
      const nia = visitOffice(service)
      assert.equal((await nia.post(newer, { name: 'Nia', password: testPassword })).to, '/office')
      assert.equal((await nia.get('/office/activity')).status, 200, 'a manager')
      assert.match(
        await trail(owner.visitor),
        /Accepted the invitation and opened the account of Nia by Nia /,
      )
      const all = await Promise.all([1, 2, 3].map(() => invite(owner.visitor, 'omar@example.com')))
      const open = await Promise.all(
        all.map(async ({ html }) => (await visitOffice(service).get(inviteLink(html))).status),
      )
      assert.deepEqual(
        open.toSorted((a, b) => a - b),
        [200, 404, 404],
        `three at once at ${venue.slug}`,
      )
    })

    it('are made once by a form sent twice, and come back with what was typed', async () => {
      const { owner, host } = await house()
      const token = randomUUID()
      const link = inviteLink((await invite(owner.visitor, 'nia.3@example.com', { token })).html)
      const again = await invite(owner.visitor, 'nia.3@example.com', { token })
      assert.deepEqual([again.status, inviteLink(again.html)], [303, ''])
      assert.equal((await visitOffice(service).get(link)).status, 200)
      const known = await invite(owner.visitor, host.email, { role: 'owner' })
      assert.equal(known.status, 409)
      assert.match(known.html, new RegExp(`value="${host.email}"`))
      assert.match(known.html, /<option value="owner" selected/)
      const wrong = await invite(owner.visitor, 'nia.4@example.com', { password: 'not mine' })
      assert.deepEqual(
        [wrong.status, inviteLink(wrong.html)],
        [400, ''],
        'an office left open invites nobody',
      )
    })
  })

  it('pages and forms of people are for owners', async () => {
    const { owner, manager, host } = await house()
    for (const visitor of [manager.visitor, host.visitor]) {
      for (const path of ['/office/people', `/office/people/${owner.id}`])
        assert.equal((await visitor.get(path)).status, 403)
      for (const action of ['role', 'password-link', 'reset-codes', 'shut', 'open']) {
        const seen = await visitor.post(`/office/people/${owner.id}/${action}`, { password: testPassword })
        assert.equal(seen.status, 403, action)
      }
    }
  })
})
