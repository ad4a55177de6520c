import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type SenderAsked, type SenderDomain, lookUpSender as lookUpWhole } from './sender-domain.ts'
import type { LookUpTexts } from './look-up-texts.ts'
import { dnsOf } from './test/dns.ts'

/** What was found, without where. */
const lookUpSender = async (
  lookUp: LookUpTexts,
  asked: SenderAsked,
): Promise<Omit<SenderDomain, 'askedAt'>> => {
  const { askedAt: _, ...found } = await lookUpWhole(lookUp, asked)
  return found
}

describe('whether receivers can tell that mail is a domain’s own', () => {
  const good = {
    'example.com': ['v=spf1 include:relay.example.net -all', 'something else'],
    '_dmarc.example.com': ['v=DMARC1; p=none'],
    'mail._domainkey.example.com': ['v=DKIM1; p=MIGf'],
  }
  const own = {
    from: 'example.com',
    envelope: 'example.com',
    dkim: { domain: 'example.com', selector: 'mail' },
  }
  const all = { spf: true, dkim: true, dmarc: true, isAligned: true }

  it('all is there', async () => {
    assert.deepEqual(await lookUpSender(dnsOf(good), own), all)
    const loud = { ...own, from: 'EXAMPLE.com.', envelope: 'Example.Com' }
    assert.deepEqual(await lookUpSender(dnsOf(good), loud), all)
  })

  it('says where it looked', async () => {
    const asked = {
      from: 'News.Example.com',
      envelope: 'b.example.com',
      dkim: { domain: 'Example.com', selector: 'mail' },
    }
    assert.deepEqual((await lookUpWhole(dnsOf({}), asked)).askedAt, {
      spf: 'b.example.com',
      dkim: 'mail._domainkey.example.com',
      dmarc: '_dmarc.news.example.com',
    })
  })

  it('nothing is there', async () => {
    assert.deepEqual(await lookUpSender(dnsOf({}), own), {
      spf: false,
      dkim: false,
      dmarc: false,
      isAligned: true,
    })
  })

  it('the key is the relay’s own matter where the relay signs', async () => {
    assert.deepEqual(await lookUpSender(dnsOf(good), { ...own, dkim: null }), { ...all, dkim: null })
  })

  it('a published key that is not ours counts as missing', async () => {
    const [one, other] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)
    const spki = (key = one) => key?.export({ type: 'spki', format: 'der' }).toString('base64') ?? ''
    const bare = one?.export({ type: 'pkcs1', format: 'der' }).toString('base64') ?? ''
    const asked = { ...own, dkim: { ...own.dkim, publicKey: spki() } }
    const answers = [spki(), bare, spki(other)].map(
      async (p) =>
        (await lookUpSender(dnsOf({ ...good, 'mail._domainkey.example.com': [`p=${p}`] }), asked)).dkim,
    )
    assert.deepEqual(await Promise.all(answers), [true, true, false])
  })

  it('SPF is looked up where bounces go, DMARC at the sender or above', async () => {
    const dns = dnsOf({ ...good, 'example.com': [], 'b.example.com': ['v=spf1 mx -all'] })
    assert.deepEqual(
      await lookUpSender(dns, { from: 'news.example.com', envelope: 'b.example.com', dkim: null }),
      {
        spf: true,
        dkim: null,
        dmarc: true,
        isAligned: true,
      },
    )
  })

  it('a signature or a return address of another organisation is not aligned', async () => {
    const dns = dnsOf({ ...good, '_dmarc.service.example.org': ['v=DMARC1; p=none'] })
    const foreign = { domain: 'service.example.org', selector: 'x' }
    const aligned = async (envelope: string, dkim: typeof foreign | null) =>
      (await lookUpSender(dns, { from: 'news.example.com', envelope, dkim })).isAligned
    assert.equal(await aligned('b.service.example.org', foreign), false)
    assert.equal(await aligned('b.example.com', foreign), true)
    assert.equal(await aligned('b.service.example.org', { domain: 'example.com', selector: 'x' }), true)
    assert.equal(await aligned('b.service.example.org', null), null, 'the relay may sign with the right one')
  })

  it('a strict policy wants the very same domain', async () => {
    const dns = dnsOf({ ...good, '_dmarc.example.com': ['v=DMARC1; p=none; aspf=s; adkim=s'] })
    const asked = {
      from: 'example.com',
      envelope: 'b.example.com',
      dkim: { domain: 'm.example.com', selector: 'x' },
    }
    assert.equal((await lookUpSender(dns, asked)).isAligned, false)
    assert.equal((await lookUpSender(dns, { ...asked, dkim: own.dkim })).isAligned, true)
  })

  it('two domains below one public suffix are strangers, though the suffix has a policy', async () => {
    const dns = dnsOf({
      '_dmarc.co.example': ['v=DMARC1; p=none; psd=y'],
      '_dmarc.example': ['v=DMARC1; p=none'],
    })
    const asked = {
      from: 'one.co.example',
      envelope: 'two.co.example',
      dkim: { domain: 'b.two.co.example', selector: 'x' },
    }
    assert.equal((await lookUpSender(dns, asked)).isAligned, false)
    assert.equal((await lookUpSender(dns, { ...asked, envelope: 'b.one.co.example' })).isAligned, true)
  })

  it('asks no more than eight names of a long domain, and all at once', async () => {
    const asked: string[] = []
    let open = 0
    const lookUp = async (name: string): Promise<string[]> => {
      asked.push(name)
      open++
      await Promise.resolve()
      assert.equal(open, asked.length)
      return []
    }
    const from = 'a.b.c.d.e.f.g.h.i.j.example.com'
    await lookUpSender(lookUp, { from, envelope: from, dkim: null })
    const names = new Set(asked.filter((name) => name.startsWith('_dmarc.')))
    assert.equal(names.size, 8)
    assert.ok(
      names.has(`_dmarc.${from}`) && names.has('_dmarc.f.g.h.i.j.example.com') && names.has('_dmarc.com'),
    )
  })

  it('what the DNS cannot tell is held against nobody: a fault never turns into false', async () => {
    const name = fc.constantFrom(
      'example.com',
      'b.example.com',
      'news.example.com',
      'other.example.org',
      'example.org',
    )
    const asked = fc.record({
      from: name,
      envelope: name,
      dkim: fc.option(fc.record({ domain: name, selector: fc.constant('mail') })),
    })
    const policy = fc.constantFrom(
      '',
      'v=DMARC1; p=none',
      'v=DMARC1; p=none; aspf=s',
      'v=DMARC1; p=none; psd=n',
    )
    const names = [
      'example.com',
      'b.example.com',
      'news.example.com',
      'com',
      'other.example.org',
      'example.org',
      'org',
    ]
    const zone = fc.tuple(...names.map(() => policy)).map((policies) => ({
      'example.com': ['v=spf1 mx -all'],
      'mail._domainkey.example.com': ['p=MIGf'],
      ...Object.fromEntries(names.map((one, at) => [`_dmarc.${one}`, [policies[at] ?? '']])),
    }))
    const dead = fc.uniqueArray(
      fc.constantFrom(...names.map((one) => `_dmarc.${one}`), 'example.com', 'mail._domainkey.example.com'),
    )
    await fc.assert(
      fc.asyncProperty(asked, zone, dead, async (about, records, faults) => {
        const whole = await lookUpSender(dnsOf(records), about)
        const torn = await lookUpSender(dnsOf(records, faults), about)
        for (const fact of ['spf', 'dkim', 'dmarc'] as const) {
          assert.ok(torn[fact] === null || torn[fact] === whole[fact], fact)
        }
        if (whole.isAligned === true) assert.notEqual(torn.isAligned, false)
      }),
    )
    const none = await lookUpSender(() => Promise.reject(new Error('SERVFAIL')), {
      ...own,
      envelope: 'b.example.com',
    })
    assert.deepEqual(none, { spf: null, dkim: null, dmarc: null, isAligned: true })
  })
})
