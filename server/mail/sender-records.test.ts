import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readDkimKey, readDmarc, readSpf } from './sender-records.ts'

describe('records of a domain that sends mail', () => {
  describe('SPF', () => {
    const found = [
      'v=spf1 include:relay.example.net -all',
      'V=SPF1 a mx ~all',
      'v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all',
      'v=spf1 a:mail.example.com/24//64 -all',
      'v=spf1  mx  -all',
      'v=spf1 redirect=_spf.example.net',
      'v=spf1 exists:%{i}._spf.example.com -all',
      'v=spf1 -ip4:192.0.2.1 +all',
      'v=spf1 mx exp=why.example.com unknown=fine -all',
    ]
    const missing = [
      '',
      'v=spf10 -all',
      'v=spf1-all',
      'spf1 include:relay.example.net',
      'v=spf1 include:',
      'v=spf1 includes:relay.example.net -all',
      'v=spf1 ip4:192.0.2 -all',
      'v=spf1 ip4=192.0.2.1 redirect= -all',
      'v=spf1 include:a.example,b.example:c -all',
      'v=spf1 all:example.com',
    ]
    for (const text of found) it(`is there: ${text}`, () => assert.equal(readSpf([text]), 'found'))
    for (const text of missing)
      it(`is not there: ${text || 'nothing'}`, () =>
        assert.equal(readSpf(text === '' ? [] : [text]), 'missing'))
    it('lets nobody send where no mechanism does', () => {
      for (const text of ['v=spf1 -all', 'v=spf1', 'v=spf1 ~all', 'v=spf1 ?all', 'v=spf1 -mx ~a -all'])
        assert.equal(readSpf([text]), 'nobody', text)
    })

    it('two records are as none (RFC 7208, 4.5); texts of other kinds do not count', () => {
      const others = fc.array(fc.string().filter((text) => !/^v=spf1/i.test(text)))
      fc.assert(
        fc.property(fc.constantFrom(...found), fc.constantFrom(...found), others, (one, another, more) => {
          assert.equal(readSpf([...more, one]), 'found')
          assert.equal(readSpf([one, ...more, another]), 'missing')
        }),
      )
    })
  })

  describe('DKIM keys', () => {
    it('are found among other records', () => {
      for (const text of [
        'v=DKIM1; k=rsa; p=MIGf+/A=',
        'p=MIGf',
        'v=DKIM1;p=MI Gf\tAB ;t=y:s; n=what you like',
        'k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
        'v=DKIM1; s=other : email; p=MIGf',
      ])
        assert.ok(readDkimKey([text]), text)
      assert.equal(readDkimKey(['p=MI Gf\tAB'])?.publicKey, 'MIGfAB')
      assert.ok(readDkimKey(['something else', 'p=MIGf']))
    })
    it('are not there: withdrawn, of another kind, or no list of tags', () => {
      for (const text of [
        'v=DKIM1; p=',
        'v=DKIM1; k=rsa',
        'v=DKIM2; p=MIGf',
        'k=dsa; p=MIGf',
        's=tlsrpt; p=MIGf',
        'p=MIGf; p=MIGf',
        'p=not base64!',
        'hello',
      ])
        assert.equal(readDkimKey([text]), undefined, text)
    })
  })

  describe('DMARC', () => {
    it('says what holds for the domain and below it', () => {
      assert.deepEqual(readDmarc(['v=DMARC1; p=none']), {
        policy: 'none',
        subdomains: 'none',
        strictDkim: false,
        strictSpf: false,
        psd: undefined,
      })
      assert.deepEqual(readDmarc(['v = DMARC1 ;p=Reject;sp=quarantine; adkim=s; aspf=S; psd=n;']), {
        policy: 'reject',
        subdomains: 'quarantine',
        strictDkim: true,
        strictSpf: true,
        psd: 'n',
      })
    })
    it('without a policy, one who asks for reports has p=none (RFC 7489, 6.6.3)', () => {
      assert.equal(readDmarc(['v=DMARC1; rua=mailto:d@example.com'])?.policy, 'none')
      assert.equal(readDmarc(['v=DMARC1; p=maybe; rua=mailto:d@example.com'])?.policy, 'none')
    })
    it('is not there: no policy, another version, twice', () => {
      for (const texts of [
        [],
        ['v=DMARC1'],
        ['v=DMARC1; p=maybe'],
        ['v=DMARC2; p=none'],
        ['v=DMARC10; p=none'],
        ['p=none; v=DMARC1'],
        ['v=DMARC1; p=none; p=reject'],
        ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
      ])
        assert.equal(readDmarc(texts), undefined, texts.join(' | '))
    })
    it('reads back any policy that is written, in any order of its tags', () => {
      const policy = fc.constantFrom('none', 'quarantine', 'reject')
      const tags = fc.shuffledSubarray(['adkim=s', 'aspf=r', 'pct=50', 'fo=1', 'rua=mailto:d@example.com'])
      fc.assert(
        fc.property(policy, policy, tags, fc.constantFrom(';', '; ', ' ;\t'), (p, sp, more, gap) => {
          const read = readDmarc([['v=DMARC1', ...more, `sp=${sp}`, `p=${p}`].join(gap)])
          assert.equal(read?.policy, p)
          assert.equal(read.subdomains, sp)
          assert.equal(read.strictDkim, more.includes('adkim=s'))
        }),
      )
    })
  })

  it('any text at all is read without a fault, and quickly', () => {
    const pieces = fc.constantFrom(
      'v=spf1',
      'v=DMARC1',
      'p=',
      ';',
      ' ',
      '=',
      ':',
      'include:',
      '-all',
      'ip6:',
      '%{i}',
    )
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
        readSpf(texts)
        readDkimKey(texts)
        readDmarc(texts)
      }),
    )
    // A million characters read twice over and over would take hours: that, and no limit, is what fails here.
    for (const long of [' ', 'a', '=', '; '].map((piece) => piece.repeat(1_000_000)))
      for (const read of [readSpf, readDkimKey, readDmarc])
        for (const start of ['v=spf1 ', 'v=DMARC1;', 'a=', 'v', '']) read([start + long + 'x'])
  })
})
