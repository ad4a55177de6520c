import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { type Checklist, checkMail } from './checklist.ts'
import { checks, checksTable } from './checks.ts'
import { compileMail } from '../content/compile-mail.ts'
import { viewOf } from '../content/mail-view.ts'
import type { MailFacts } from './mail-facts.ts'
import type { MailContent, MailVenue } from '../content/mail-template.ts'

const venue: MailVenue = { name: 'The Blue Door', postalAddress: '12 Harbour Street, Portland', phone: null }
const content: MailContent = {
  subject: 'Oysters all week, {{firstName|friends}}',
  preheader: 'Six kinds, a dozen for $24.',
  bodyHtml:
    '<h1>Oyster week</h1><p>Hi {{firstName|there}}, six kinds from Tuesday. <a href="https://blue-door.org/book">Book a table</a></p><img src="https://blue-door.org/a.jpg" alt="Oysters on ice">',
  bodyText: 'Six kinds from Tuesday.',
  bodyFormat: 'guided',
}
const list = { total: 1_000, withoutFirstName: 400, mailedInLastDay: 0, isReliable: true }
const relay = {
  publicUrl: 'https://data.blue-door.org',
  isReachedFromOutside: true,
  isUp: true,
  from: 'hello@blue-door.org',
  isFromVerified: true,
  isAligned: true,
  spf: true,
  dkim: true,
  dmarc: true,
  askedAt: { spf: 'blue-door.org', dkim: 'm._domainkey.blue-door.org', dmarc: '_dmarc.blue-door.org' },
}
const facts: Omit<MailFacts, 'content' | 'venue' | 'mail' | 'view'> = {
  isTested: true,
  list,
  relay,
  lastMonth: { sent: 2_000, bounced: 20, complained: 1 },
  lastRecipients: 950,
  daysSinceLast: 30,
  leavesAt: Temporal.ZonedDateTime.from('2026-11-05T17:00[America/New_York]'),
}

type Change = Partial<MailContent> & Partial<typeof facts> & { readonly venue?: Partial<MailVenue> }

const checked = (change: Change = {}): Checklist => {
  const at = { ...venue, ...change.venue }
  const written = { ...content, ...change }
  const mail = compileMail(written, at)
  return checkMail({ ...facts, ...change, content: written, venue: at, mail, view: viewOf(written, mail) })
}
const codesOf = (change: Change = {}): string[] => {
  const { blockers, advice } = checked(change)
  return [...blockers, ...advice].map(({ code }) => code)
}

const own = (inside: string): Partial<MailContent> => ({
  bodyFormat: 'html',
  bodyHtml: `<html><body><p>Six kinds of oysters, from Tuesday on. 12 Harbour Street</p>${inside}</body></html>`,
})
const leave = '<a href="{{unsubscribeUrl}}">Unsubscribe</a>'
const styled = (css: string, inside: string): Partial<MailContent> => ({
  bodyFormat: 'html',
  bodyHtml: `<html><head><style>${css}</style></head><body><p class="words" style="display:block;opacity:1">Six kinds of oysters, from Tuesday on. 12 Harbour Street</p>${inside}</body></html>`,
})
const body = (inside: string): Partial<MailContent> => ({
  bodyHtml: `<p>Six kinds of oysters, from Tuesday.</p>${inside}`,
})
const at = (time: string) => ({
  leavesAt: Temporal.ZonedDateTime.from(`2026-11-05T${time}[America/New_York]`),
})
const long = (kilobytes: number) => body(`<p>${'A dozen for less. '.repeat((kilobytes * 1_024) / 18)}</p>`)

/** For every code of the table: mails that trigger only that code, and similar mails that do not. */
const cases: Readonly<
  Record<string, { readonly found: readonly Change[]; readonly fine?: readonly Change[] }>
> = {
  'subject-empty': { found: [{ subject: '' }, { subject: ' \u00a0' }, { subject: '  ' }] },
  'subject-control-chars': {
    found: [{ subject: 'Oysters\r\nBcc: x@y.org' }, { subject: 'Oys\u0000ters' }],
    fine: [{ subject: 'Oysters 🦪 سمك' }],
  },
  'merge-tag-unknown': {
    found: [
      { subject: 'Hi {{lastName|you}}' },
      { preheader: '{{x}}' },
      body('<p>{{firstname|x}}</p>'),
      { bodyText: '{{=1+1}}' },
    ],
    fine: [{ preheader: '{{venueName}} {{firstName|you}}' }],
  },
  'merge-tag-unclosed': {
    found: [{ subject: 'Hi {{firstName|you' }, body('<p>{{first<b>Name|x</b>}}</p>')],
    fine: [body('<p>} } { {</p>')],
  },
  'merge-tag-without-fallback': {
    found: [
      { subject: 'Hi {{firstName}}' },
      { bodyText: '{{firstName|}}', list: { ...list, withoutFirstName: 11 } },
    ],
    fine: [
      { subject: 'Hi {{firstName}}', list: { ...list, withoutFirstName: 10 } },
      { subject: 'Hi {{firstName}}', list: null },
    ],
  },
  'preheader-empty': { found: [{ preheader: ' ' }] },
  'subject-long': { found: [{ subject: 'a'.repeat(61) }], fine: [{ subject: '🦪'.repeat(60) }] },
  'subject-capitals': {
    found: [{ subject: 'OYSTERS ALL WEEK' }, { subject: 'УСТРИЦЫ ВСЮ НЕДЕЛЮ' }],
    fine: [{ subject: 'BBQ' }, { subject: '牡蠣の一週間' }],
  },
  'body-empty': {
    found: [{ bodyHtml: '' }, { bodyHtml: '<p>&nbsp;</p><hr>' }],
    fine: [body('')],
  },
  'content-script': { found: [] },
  'postal-address-missing': {
    found: [{ venue: { postalAddress: null } }, { venue: { postalAddress: ' \n' } }],
  },
  'placeholder-text': {
    found: [
      body('<p>Lorem ipsum dolor sit amet</p>'),
      body('<a href="https://www.example.com/menu">Menu</a>'),
      body('<p>Write to hi@example.com</p>'),
      body('<a href="https://blue-door.org/e/00000000-0000-0000-0000-000000000000">Menu</a>'),
      body('<a href="https://blue-door.org/e?id=000000">Menu</a>'),
      { subject: 'LOREM IPSUM at {{firstName|x}}' },
    ],
    fine: [
      body('<p>For example, communal tables. $1,000,000 raised, call 555 000 0000.</p>'),
      body('<a href="https://blue-door.org/e?id=100000">x</a>'),
    ],
  },
  'postal-address-not-shown': {
    found: [{ bodyFormat: 'html', bodyHtml: `<p>Six kinds of oysters, from Tuesday on.</p>${leave}` }],
    fine: [
      own(leave),
      {
        bodyFormat: 'html',
        bodyHtml: `<p>Six kinds of oysters, from Tuesday.</p><p>12 HARBOUR<br>Street</p>${leave}`,
      },
    ],
  },
  'no-plain-text': { found: [{ bodyText: '\n' }] },
  'image-without-alt': {
    found: [
      body('<img src="https://blue-door.org/b.jpg">'),
      body('<img src="https://blue-door.org/b.jpg" alt=" ">'),
    ],
  },
  'image-only': {
    found: [{ bodyHtml: '<img src="https://blue-door.org/b.jpg" alt="Oysters"><p>Come!</p>' }],
  },
  'html-large': { found: [long(85)], fine: [long(60)] },
  'html-clipped': { found: [long(110)] },
  'unsubscribe-missing': {
    found: [
      own(''),
      own('<p>{{unsubscribeUrl}}</p>'),
      own('<a href="{{unsubscribeUrl}}"> </a>'),
      own(`<div style="display: none"><p>${leave}</p></div>`),
      own(`<p style="font-size:0">${leave}</p>`),
      own('<a href="{{preferencesUrl}}">Unsubscribe</a>'),
      ...['font-size:0px', 'font-size: .0em', 'DISPLAY:None', 'display:block;display:none !important'].map(
        (style) => own(`<div style="${style}"><p>${leave}</p></div>`),
      ),
      own(
        '<a href="{{unsubscribeUrl}}"><img src="https://blue-door.org/x.png" alt="Leave" width="1" height="1"></a>',
      ),
      own(
        '<a href="{{unsubscribeUrl}}"><img src="https://blue-door.org/x.png" alt="Leave" style="display:none"></a>',
      ),
    ],
    fine: [
      own(leave),
      // What builders of mails write.
      own(
        `<table><tr><td style="font-size:0px"><div style="font-size:13px">${leave}</div></td></tr></table>`,
      ),
      own(
        '<table><tr><td style="font-size:0"><a href="{{unsubscribeUrl}}"><img src="https://blue-door.org/x.png" alt="Leave"></a></td></tr></table>',
      ),
      own(`<p style="display:block !important;display:none">${leave}</p>`),
      // Only `display` and `font-size` are looked at, and no style sheet.
      ...[
        'visibility:hidden',
        'opacity:0',
        'font-size:1px',
        'font:0/0 a',
        'max-height:0;overflow:hidden',
        'color:#fff;background:#fff',
      ].map((style) => own(`<p style="${style}">${leave}</p>`)),
      styled('.x{display:none}', `<p class="x">${leave}</p>`),
      own('<a href="{{unsubscribeUrl}}"><b>Leave</b> us</a>'),
      own('<a href="{{ unsubscribeUrl }}"><img src="https://blue-door.org/x.png" alt="Leave"></a>'),
    ],
  },
  'link-scheme': {
    found: [
      body('<a href="javascript:alert(1)">Book</a>'),
      body('<a href="file:///c:/menu.pdf">Menu</a>'),
      body('<a href="">Menu</a>'),
      body('<a href="#">Menu</a>'),
      body('<img src="data:image/png;base64,xx" alt="Pasted">'),
    ],
    fine: [
      own(`<a href="#menu">Menu</a><a name="menu"></a>${leave}`),
      body('<a href="mailto:hi@blue-door.org">w</a><a href="tel:+12075550134">c</a>'),
    ],
  },
  'link-local': {
    found: [
      ...[
        'http://localhost:3000/x',
        'https://127.0.0.1/',
        'https://192.168.1.4/a',
        'https://[::1]/',
        'https://intranet/',
        'https://nas.local/x',
        'https://2130706433/',
      ].map((address) => body(`<a href="${address}">Menu</a>`)),
      body('<img src="https://10.0.0.1/a.png" alt="x">'),
    ],
    fine: [body('<a href="https://blue-door.org./x">x</a><a href="https://локально.рф/">y</a>')],
  },
  'short-links': {
    found: [
      body(
        '<a href="https://bit.ly/1">a</a><a href="https://bit.ly/2">b</a><a href="https://bit.ly/3">c</a>',
      ),
    ],
    fine: [
      body('<a href="https://bit.ly/1">a</a><a href="https://t.co/2">b</a><a href="https://is.gd/3">c</a>'),
    ],
  },
  'test-stale': { found: [{ isTested: false }] },
  'list-unreliable': { found: [{ list: { ...list, isReliable: false } }], fine: [{ list: null }] },
  'list-growth': {
    found: [{ lastRecipients: 700 }],
    fine: [
      { lastRecipients: 770 },
      { lastRecipients: null },
      { lastRecipients: 5, list: { ...list, total: 9 } },
    ],
  },
  'long-silence': { found: [{ daysSinceLast: 91 }, { daysSinceLast: null }], fine: [{ daysSinceLast: 90 }] },
  'late-hour': {
    found: [at('21:00'), at('23:59'), at('07:59'), at('00:00')],
    fine: [at('20:59'), at('08:00'), { leavesAt: null }],
  },
  'mailed-recently': { found: [{ list: { ...list, mailedInLastDay: 3 } }] },
  'from-unverified': {
    found: [{ relay: { ...relay, isFromVerified: false } }, { relay: { ...relay, isAligned: false } }],
    fine: [{ relay: { ...relay, isFromVerified: null } }, { relay: { ...relay, isAligned: null } }],
  },
  'from-free-mail': { found: [{ relay: { ...relay, from: 'BlueDoor@Gmail.com' } }] },
  'sender-auth-missing': {
    found: [{ relay: { ...relay, dkim: false } }, { relay: { ...relay, spf: false, dmarc: false } }],
    fine: [{ relay: { ...relay, spf: null, dkim: null, dmarc: null } }],
  },
  'relay-down': {
    found: [{ relay: { ...relay, isUp: false } }],
    fine: [{ relay: { ...relay, isUp: null } }, { relay: null }],
  },
  'service-address': {
    found: [{ relay: { ...relay, publicUrl: 'http://127.0.0.1:8080', isReachedFromOutside: false } }],
    fine: [{ relay: null }],
  },
  'bounce-rate': {
    found: [{ lastMonth: { sent: 100, bounced: 6, complained: 0 } }],
    fine: [
      { lastMonth: { sent: 100, bounced: 5, complained: 0 } },
      { lastMonth: { sent: 10, bounced: 2, complained: 0 } },
    ],
  },
  'complaint-rate': {
    found: [{ lastMonth: { sent: 600, bounced: 0, complained: 2 } }],
    fine: [
      { lastMonth: { sent: 1_000, bounced: 0, complained: 3 } },
      { lastMonth: { sent: 100, bounced: 0, complained: 1 } },
    ],
  },
}

/** What comes with it of necessity. */
const together: Readonly<Record<string, readonly string[]>> = {
  'body-empty': ['image-only'],
  'link-scheme': ['image-without-alt'],
}

describe('the checklist', () => {
  it('finds nothing in a good mail', () => {
    assert.deepEqual(checked(), { blockers: [], advice: [] })
    assert.deepEqual(codesOf(own(leave)), [])
  })

  it('has each code once, and a case for each', () => {
    const codes = checks.map(({ code }) => code)
    assert.equal(new Set(codes).size, codes.length)
    assert.deepEqual(codes.toSorted(), Object.keys(cases).toSorted())
  })

  for (const { code, effect } of checks) {
    it(`${code} ${effect === 'block' ? 'blocks' : 'is advice'}`, () => {
      for (const change of cases[code]?.found ?? []) {
        const where = JSON.stringify(change).slice(0, 200)
        const { blockers, advice } = checked(change)
        const [here, there] = effect === 'block' ? [blockers, advice] : [advice, blockers]
        const finding = here.find((one) => one.code === code)
        assert.ok(finding, where)
        assert.match(finding.message, /^[A-Z"{0-9][^]*\.$/, 'a plain sentence')
        assert.ok(!there.some((one) => one.code === code), where)
        const others = codesOf(change).filter((one) => one !== code && !together[code]?.includes(one))
        assert.deepEqual(others, [], where)
      }
      for (const change of cases[code]?.fine ?? [])
        assert.deepEqual(codesOf(change), [], JSON.stringify(change).slice(0, 200))
    })
  }

  it('content-script is found when cleaning should ever fail', () => {
    const mail = compileMail(content, venue)
    for (const [html, word] of [
      ['<p>x</p><script>1</script>', 'script'],
      ['<FORM action="x">', 'form'],
      ['<p class="a" onclick="x()">', 'onclick'],
      ['<meta http-equiv=refresh content=0>', 'refresh'],
      ['<a href="javascript:x">', 'javascript'],
    ] as const) {
      const broken = { ...mail, htmlFor: () => html }
      const { blockers } = checkMail({
        ...facts,
        content,
        venue,
        mail: broken,
        view: viewOf(content, broken),
      })
      assert.match(
        blockers.find(({ code }) => code === 'content-script')?.message ?? '',
        new RegExp(`"${word}"`),
      )
    }
    assert.deepEqual(codesOf(body('<p title="onclick=">words onload=1 about forms &lt;script&gt;</p>')), [])
  })

  it('what needs the outside world is asked only where a relay is configured', () => {
    assert.deepEqual(codesOf({ relay: null }), [])
  })

  it('the documents have its table', () => {
    const page = readFileSync(new URL('../../../../docs/campaigns.md', import.meta.url), 'utf8')
    assert.ok(page.includes(checksTable()), `docs/campaigns.md should have:\n${checksTable()}`)
  })
})
