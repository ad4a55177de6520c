import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { checkDestination, type DestinationRules, internalEndings } from './destination.ts'

const addressOf = (text: string, rules?: DestinationRules): string => {
  const destination = checkDestination(text, rules)
  assert.equal(destination.kind, 'accepted', `${text}: ${JSON.stringify(destination)}`)
  return destination.kind === 'accepted' ? destination.address : ''
}
const sentenceOf = (text: string, rules?: DestinationRules): string => {
  const destination = checkDestination(text, rules)
  assert.equal(destination.kind, 'refused', `${text} was accepted: ${JSON.stringify(destination)}`)
  return destination.kind === 'refused' ? destination.sentence : ''
}

/** One row per attack: what the sentence must mention, and the texts. */
const refusals: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /must begin with https:\/\//,
    [
      '',
      'example.com',
      'example.com/hook',
      '//example.com/hook',
      '/hook',
      'https',
      'https:',
      'https:/',
      'https://',
      'http://example.com/hook',
      'HTTP://example.com/',
      'ftp://example.com/',
      'ws://example.com/',
      'wss://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/plain,x',
      'gopher://example.com/',
      'httpss://example.com/',
      'https:example.com',
      'https:/example.com',
      'https:///example.com',
      'https:////example.com',
      'view-source:https://example.com/',
      'blob:https://example.com/x',
      'https://?x',
      'https://#x',
      'https:///path',
    ],
  ],
  [
    /plain ASCII/,
    [
      ' https://example.com/',
      'https://example.com/ ',
      'https://example.com/a b',
      'https://exa mple.com/',
      '\thttps://example.com/',
      'https://exa\tmple.com/',
      'https://example.com/\n',
      'https://example.com\r\n/',
      'ht\ntps://example.com/',
      'https://example.com/\u0000',
      'https://example.com/\u007f',
      'https://example.com\\@evil.com/',
      'https:\\\\example.com\\',
      'https://example.com/a\\b',
      'https://１２７.0.0.1/',
      'https://127。0。0。1/',
      'https://example。com/',
      'https://ⓔxample.com/',
      'https://ex\u00admple.com/',
      'https://exam\u200bple.com/',
      'https://münchen.de/',
      'https://example.com/é',
      '\ufeffhttps://example.com/',
      'https://example.com/\u00a0',
      'https://example.com/?q=ü',
      'https://example.com/#ü',
      'https://ｌocalhost/',
      'https://[::１]/',
      'https://example.com／@evil.com/',
    ],
  ],
  [
    /user name, a password or an "@"/,
    [
      'https://user@example.com/',
      'https://user:secret@example.com/',
      'https://:secret@example.com/',
      'https://@example.com/',
      'https://:@example.com/',
      'https://example.com@10.0.0.1/',
      'https://example.com:443@127.0.0.1/',
      'https://a@b@example.com/',
      'https://user%40x@example.com/',
      'https://example.com?@evil.com/',
      'https://example.com#@evil.com/',
      'https://example.com:80@evil.com',
      'https://127.0.0.1@example.com/',
    ],
  ],
  [
    /standard https port/,
    [
      'https://example.com:80/',
      'https://example.com:8443/',
      'https://example.com:444/',
      'https://example.com:0/',
      'https://example.com:0443/',
      'https://example.com:/',
      'https://example.com:65979/',
      'https://example.com:99999999999/',
      'https://example.com:+443/',
      'https://example.com:443x/',
      'https://example.com:4 43/'.replace(' ', '%20'),
      'https://example.com:-1/',
      'https://example.com:1bb/',
      'https://example.com:443:443/',
      'https://127.0.0.1:22/',
      'https://[::1]:22/',
    ],
  ],
  [
    /not an IP address/,
    [
      'https://127.0.0.1/',
      'https://8.8.8.8/',
      'https://8.8.8.8./',
      'https://10.0.0.1:443/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0X7F.1/',
      'https://0x7f.0.0.1/',
      'https://0177.0.0.1/',
      'https://017700000001/',
      'https://127.1/',
      'https://127.0.1/',
      'https://0/',
      'https://0x/',
      'https://0x0/',
      'https://1/',
      'https://999.999.999.999/',
      'https://256.256.256.256/',
      'https://1.2.3.4.5/',
      'https://example.1/',
      'https://example.0x7f/',
      'https://127.0.0.0x1/',
      'https://00000000000000000000177.0.0.1/',
      'https://[::1]/',
      'https://[::]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[0:0:0:0:0:0:0:1]/',
      'https://[2606:4700::1111]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[fe80::1%25eth0]/',
      'https://[fe80::1%eth0]/',
      'https://[v1.x]/',
      'https://[]/',
      'https://::1/',
      'https://169.254.169.254/latest/meta-data/',
    ],
  ],
  [
    /only works inside one network/,
    [
      ...internalEndings.flatMap((ending) => [
        `https://${ending}/`,
        `https://a.${ending}/`,
        `https://a.b.${ending}./x`,
        `https://A.${ending.toUpperCase()}/`,
      ]),
      'https://localhost/',
      'https://LocalHost/',
      'https://localhost./',
      'https://localhost:443/',
      'https://metadata.google.internal/',
      'https://printer.local/',
      'https://router.lan/',
      'https://nas.home.arpa/',
      'https://1.0.0.127.in-addr.arpa/',
      'https://api.default.svc/',
      'https://kunde.firma.intern/',
      'https://OFFICE-PC.WORKGROUP./',
      'https://api.localhost/',
      'https://hooks.example/',
      'https://x.test/',
    ],
  ],
  [
    /at least two parts/,
    ['https://intranet-box/', 'https://kubernetes/', 'https://com/', 'https://com./', 'https://redis/hook'],
  ],
  [
    /not a domain name/,
    [
      'https://exa%6dple.com/',
      'https://example%2ecom/',
      'https://127%2e0%2e0%2e1/',
      'https://example.com%00.evil.com/',
      'https://.example.com/',
      'https://example..com/',
      'https://example.com../',
      'https://./',
      'https://../',
      'https://-a.example.com/',
      'https://a-.example.com/',
      'https://a,b.com/',
      'https://*.example.com/',
      'https://$(x).com/',
      `https://${'a'.repeat(64)}.com/`,
      `https://${'abcdefgh.'.repeat(28)}longer.com/`,
      'https://exa[m]ple.com/',
      'https://[example.com/',
      'https://example.com]/',
      'https://example.com;x/',
      "https://exa'mple.com/",
      'https://ex|ample.com/',
      'https://{host}.com/',
      'https://xn--.com/',
    ],
  ],
  [
    /"%" that is not followed|"%2e"/,
    [
      'https://example.com/%',
      'https://example.com/%2',
      'https://example.com/%zz',
      'https://example.com/?%',
      'https://example.com/%2e%2e/admin',
      'https://example.com/%2E/',
      'https://example.com/a%2ejson',
      'https://example.com/?a=%2e',
    ],
  ],
  [
    /plain form/,
    [
      'https://example.com/../admin',
      'https://example.com/a/../b',
      'https://example.com/./',
      'https://example.com/a/.',
      'https://example.com/a/..',
      'https://example.com/{id}',
      'https://example.com/<x>',
      'https://example.com/"x"',
      'https://example.com/a^b',
      'https://example.com/?"',
      'https://example.com/?<>',
    ],
  ],
  [/too long/, [`https://example.com/${'a'.repeat(1_981)}`, 'a'.repeat(1_000_000)]],
]

/** Rows of texts that are the same address; the first is the stored spelling. */
const sameAddress: readonly (readonly string[])[] = [
  [
    'https://example.com/',
    'https://example.com',
    'HTTPS://EXAMPLE.COM',
    'https://Example.com:443',
    'https://example.com.',
    'https://example.com.:443/',
    'https://example.com?',
    'https://example.com/?#',
    'https://example.com/#top',
    'https://example.com#/other',
  ],
  ['https://hooks.example.com/a%2Fb', 'https://hooks.example.com/a%2fb', 'https://HOOKS.example.com/%61%2Fb'],
  [
    'https://example.com/~joe/A-b_c',
    'https://example.com/%7Ejoe/A%2Db%5fc',
    'https://example.com/%7ejoe/%41-b_c',
  ],
  ['https://example.com/hook?a=%27x%27&b=%C3%BC', "https://example.com/hook?a='x'&b=%c3%bc"],
  ['https://example.com/@joe?mail=a@b.c', 'https://EXAMPLE.com/@joe?mail=a@b.c'],
]

describe('destination: what may be an endpoint, judging by the text', () => {
  for (const [sentence, texts] of refusals) {
    for (const text of texts) {
      it(`refuses ${JSON.stringify(text.slice(0, 60))}: ${sentence.source}`, () => {
        assert.match(sentenceOf(text), sentence)
      })
    }
  }

  it('gives each kind of refusal its own sentence, in plain English and without the text that was sent', () => {
    const sentences = refusals.map(([, texts]) => sentenceOf(texts[0] ?? ''))
    assert.equal(new Set(sentences).size, refusals.length)
    for (const sentence of sentences) assert.match(sentence, /^The [a-z].*\.$/)
  })

  for (const [kept = '', ...others] of sameAddress) {
    it(`treats all spellings of ${kept} as one address`, () => {
      assert.equal(addressOf(kept), kept)
      for (const other of others) assert.equal(addressOf(other), kept)
    })
  }

  for (const text of [
    'https://hooks.example.com/bookings',
    'https://example.co.uk/',
    'https://a.b.c.d.example.com/x/y?z=1&w[]=2',
    'https://xn--mnchen-3ya.de/',
    'https://my_app.example.com/',
    'https://1234.example.com/',
    'https://127.0.0.1.nip.io/',
    'https://localhost.example.com/',
    'https://example.community/',
    'https://internal.example.com/',
    'https://local-events.com/',
    'https://0x7f.example.com/',
    'https://example.com//x',
    'https://example.com/a;b=c/d,e',
    'https://example.com/?redirect=https://other.com/',
    `https://example.com/${'a'.repeat(1_980)}`,
    'https://script.google.com/macros/s/AKf-x_1/exec',
  ]) {
    it(`accepts ${text.slice(0, 60)} unchanged`, () => {
      assert.equal(addressOf(text), text)
    })
  }

  it('keeps addresses distinct that a receiver can distinguish', () => {
    const texts = [
      'https://example.com/a',
      'https://example.com/A',
      'https://example.com/a/',
      'https://example.com/a?',
      'https://example.com/a?b',
      'https://www.example.com/a',
      'https://example.com//a',
      'https://example.com/a%20b',
      'https://example.com/a+b',
      'https://example.com/a%2Bb',
    ]
    const addresses = texts.map((text) => addressOf(text))
    assert.equal(new Set(addresses).size, texts.length - 1) // "a?" is "a"
  })

  it('an accepted address is accepted again and unchanged, and no parser sees another host in it', () => {
    const piece = fc.constantFrom(
      'https',
      'http',
      ':',
      '/',
      '//',
      '@',
      '\\',
      '.',
      '..',
      '%',
      '%2e',
      '%2F',
      '%61',
      '?',
      '#',
      '[',
      ']',
      '443',
      ':443',
      'example.com',
      'Example',
      '.com',
      'localhost',
      '127.0.0.1',
      '0x7f',
      '1',
      '-',
      '_',
      'a',
      'xn--',
      "'",
      '"',
      '\t',
      'ü',
      '。',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, prefixed) => {
        const text = (prefixed ? 'https://' : '') + pieces.join('')
        const destination = checkDestination(text)
        if (destination.kind === 'refused') return
        assert.deepEqual(checkDestination(destination.address), destination)
        const given = new URL(text)
        const kept = new URL(destination.address)
        assert.equal(kept.host, given.host.replace(/\.$/, ''))
        assert.equal(kept.protocol, 'https:')
        assert.equal(kept.port + kept.username + kept.password + kept.hash, '')
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('destination: practice mode', () => {
  const practice = { practice: true }
  for (const [text, kept] of [
    ['http://localhost:4000/hook', 'http://localhost:4000/hook'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/'],
    ['http://127.8.9.1/', 'http://127.8.9.1/'],
    ['http://[::1]:4000/x', 'http://[::1]:4000/x'],
    ['https://localhost/', 'https://localhost/'],
    ['http://LOCALHOST.:80/', 'http://localhost/'],
    ['http://app.localhost:3000/', 'http://app.localhost:3000/'],
    ['https://localhost:8443/', 'https://localhost:8443/'],
    ['https://example.com/', 'https://example.com/'],
  ] as const) {
    it(`accepts ${text}`, () => {
      assert.equal(addressOf(text, practice), kept)
    })
  }
  for (const text of [
    // For any other machine the production rules apply.
    'http://example.com/',
    'http://example.com:8080/',
    'https://example.com:8443/',
    'http://example.com:443/',
    'http://localhost.example.com:4000/',
    'http://127.0.0.1.nip.io:4000/',
    'http://128.0.0.1:4000/',
    'http://[::2]:4000/',
    'http://localhost@example.com/',
    'http://10.0.0.1/',
    'http://192.168.1.1:80/',
    'http://169.254.169.254/',
    'http://0.0.0.0:4000/',
    'http://8.8.8.8/',
    'http://[::ffff:127.0.0.1]/',
    'http://127.1/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://printer.local/',
    'http://user@localhost/',
    'http://redis:6379/',
    'http://localhost:0/',
    'http://localhost:65536/',
    'http://localhost:04000/',
    'ftp://localhost/',
    'http:localhost',
    'http://localhost/a b',
    'http://127.0.0.1.local/',
    'http://notlocalhost/',
  ]) {
    it(`still refuses ${text}`, () => {
      sentenceOf(text, practice)
    })
  }
})

describe('destination: practice mode and other machines', () => {
  const here = /^https?:\/\/(?:[a-z.]*localhost|\[0:0:0:0:0:0:0:1\]|127\.0\.0\.1|\[::1\])\.?[:/]/i
  const beginning = /^The address must begin with .*$/
  it('refuses every other address that production refuses', () => {
    const texts = refusals.flatMap(([, some]) => some).filter((text) => !here.test(text))
    assert.ok(texts.length > 150)
    for (const text of texts) {
      const [inPractice, usual] = [sentenceOf(text, { practice: true }), sentenceOf(text)]
      assert.equal(inPractice.replace(beginning, 'beginning'), usual.replace(beginning, 'beginning'), text)
    }
  })
})

describe("destination: the automation platform's hook host", () => {
  const rules = { onlyHost: 'hooks.zapier.com' }
  it('accepts addresses on that host, in any spelling', () => {
    assert.equal(
      addressOf('https://HOOKS.zapier.com.:443/hooks/1', rules),
      'https://hooks.zapier.com/hooks/1',
    )
    assert.equal(
      addressOf('https://hooks.zapier.com/hooks/1', { onlyHost: 'Hooks.Zapier.com' }),
      'https://hooks.zapier.com/hooks/1',
    )
    assert.equal(
      addressOf('http://127.0.0.1:4000/h', { onlyHost: '127.0.0.1', practice: true }),
      'http://127.0.0.1:4000/h',
    )
    assert.equal(
      addressOf('http://localhost:4000/h', { onlyHost: 'localhost:4000', practice: true }),
      'http://localhost:4000/h',
    )
  })
  for (const text of [
    'https://example.com/',
    'https://zapier.com/',
    'https://x.hooks.zapier.com/',
    'https://hooks.zapier.com.evil.com/',
    'https://evilhooks.zapier.com/',
    'https://evil.com/hooks.zapier.com',
    'https://evil.com/?hooks.zapier.com',
    'https://hooks.zapier.co/',
  ]) {
    it(`refuses ${text}, naming the host`, () => {
      assert.equal(sentenceOf(text, rules), 'The address must be on hooks.zapier.com.')
    })
  }
  it('refuses any port but the one in the setting', () => {
    sentenceOf('http://localhost:4001/h', { onlyHost: 'localhost:4000', practice: true })
  })
})
