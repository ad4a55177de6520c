import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import PostalMime from 'postal-mime'
import { compileMail } from './compile-mail.ts'
import { UnmailableAddress, headerLine } from '../../../mail/mime/header-text.ts'
import type { MailContent, MailHeader, MailPerson, MailVenue } from './mail-template.ts'
import { previewOf } from './preview.ts'
import { attributeOf, decodeHtml, tokensOf } from './tokens.ts'

const venue: MailVenue = {
  name: 'The Blue Door',
  postalAddress: '12 Harbour Street\nPortland, ME 04101',
  phone: '+1 207 555 0134',
}
const content: MailContent = {
  subject: 'Oysters all week, {{firstName|friends}}',
  preheader: 'Six kinds, {{firstName|dear friend}}.',
  bodyHtml:
    '<h1>Hi {{firstName|there}}</h1><p>From {{venueName}}. <a href="https://blue-door.org/book?name={{firstName|you}}&amp;w=1">Book</a></p><img src="https://blue-door.org/a.jpg" alt="For {{firstName|you}}">',
  bodyText: '',
  bodyFormat: 'guided',
}
const person: MailPerson = {
  firstName: 'Maya',
  unsubscribeUrl: 'https://mail.blue-door.org/u/AbC-1_2?x=1&y=2',
  preferencesUrl: 'https://mail.blue-door.org/p/AbC-1_2',
}
const header: MailHeader = {
  from: { name: 'The Blue Door', address: 'hello@blue-door.org' },
  to: 'maya@example.com',
  date: Temporal.Instant.from('2026-11-05T09:08:07.120Z'),
  messageId: '<c61.s12@blue-door.org>',
  unsubscribeUrl: person.unsubscribeUrl,
  unsubscribeMailbox: 'u+AbC-1_2@bounces.blue-door.org',
  listId: '<blue-door.blue-door.org>',
  feedbackId: '61:3:campaign:blue-door',
}

const mailOf = (change: Partial<MailContent> = {}, at: MailVenue = venue) =>
  compileMail({ ...content, ...change }, at)

const parsed = async (bytes: Buffer) => {
  const mail = await PostalMime.parse(bytes)
  return {
    ...mail,
    all: (name: string) => mail.headers.filter((one) => one.key === name).map(({ value }) => value),
  }
}
const lines = (text: string | undefined): string => (text ?? '').replaceAll('\r\n', '\n').trimEnd()

/** Names that guests have, and names that were made to do harm. */
const names = [
  'Zoë',
  'Nguyễn 🦪👩‍🍳',
  'مريم',
  'שרה',
  'Maya\r\nBcc: everyone@example.com\r\n\r\n<h1>x</h1>',
  'Maya\nX-Spam: no\u2028\u0085\u000b',
  '{{venueName}} {{unsubscribeUrl}} }}{{',
  '<script>alert(1)</script>',
  `"><img src=x onerror=alert(1)>'`,
  'javascript:alert(1)',
  '=cmd|"/c calc"!A1',
  '=?UTF-8?B?PGgxPg==?=',
  '=3Cb=3E=\r\n',
  '--=_mail-part--',
  '.',
  'From me',
  '\uE0000\uE001',
  '$& $1 $$',
  'a\u202Eb\u2066c',
  'x'.repeat(2_000),
  'é'.repeat(999),
]

describe('a compiled mail', () => {
  it('read by a mail program is what it was written to be', async () => {
    const mail = mailOf()
    const read = await parsed(mail.messageFor(person, header))
    assert.equal(read.subject, 'Oysters all week, Maya')
    assert.deepEqual(read.from, { name: 'The Blue Door', address: 'hello@blue-door.org' })
    assert.deepEqual(read.to, [{ name: '', address: 'maya@example.com' }])
    assert.equal(read.date, '2026-11-05T09:08:07.000Z')
    assert.equal(read.messageId, '<c61.s12@blue-door.org>')
    assert.equal(lines(read.html), lines(mail.htmlFor(person)))
    assert.equal(lines(read.text), lines(mail.textFor(person)))
    assert.equal(read.attachments.length, 0)
  })

  it('has the headers that mail to many has (RFC 2369, RFC 2919, RFC 8058)', async () => {
    const { all } = await parsed(mailOf().messageFor(person, header))
    assert.deepEqual(all('list-unsubscribe'), [
      `<${person.unsubscribeUrl}>, <mailto:u+AbC-1_2@bounces.blue-door.org?subject=unsubscribe>`,
    ])
    assert.deepEqual(all('list-unsubscribe-post'), ['List-Unsubscribe=One-Click'])
    assert.deepEqual(all('list-id'), ['<blue-door.blue-door.org>'])
    assert.deepEqual(all('feedback-id'), ['61:3:campaign:blue-door'])
    assert.deepEqual(all('precedence'), ['bulk'])
    assert.deepEqual(all('auto-submitted'), ['auto-generated'])
    assert.deepEqual(all('x-pm-metadata-copy'), ['c61.s12'], 'what Postmark names the copy by')
    assert.deepEqual(all('mime-version'), ['1.0'])
    const without = await parsed(mailOf().messageFor(person, { ...header, unsubscribeMailbox: null }))
    assert.deepEqual(without.all('list-unsubscribe'), [`<${person.unsubscribeUrl}>`])
  })

  it('is 7 bits, CRLF, on lines of at most 76 characters', () => {
    for (const firstName of names) {
      const message = mailOf({ bodyText: 'é'.repeat(3_000) })
        .messageFor({ ...person, firstName }, header)
        .toString('latin1')
      assert.doesNotMatch(message, /[^\t\r\n -~]|(?<!\r)\n|\r(?!\n)/)
      for (const line of message.split('\r\n')) assert.ok(line.length <= 76, line)
    }
  })

  it('greets people without a name by the fallback', () => {
    for (const firstName of [null, '', '  ', '\r\n']) {
      assert.equal(mailOf().subjectFor({ ...person, firstName }), 'Oysters all week, friends')
      assert.match(mailOf().htmlFor({ ...person, firstName }), />Hi there<\/h1>/)
    }
  })

  it('says nobody’s name in its title', () => {
    assert.match(mailOf().htmlFor(person), /<title>Oysters all week, friends<\/title>/)
  })

  describe('for any name', () => {
    const assertNeutral = async (firstName: string): Promise<void> => {
      const mail = mailOf()
      const who = { ...person, firstName }
      const plain = mail.messageFor(person, header)
      const read = await parsed(mail.messageFor(who, header))
      const expected = await parsed(plain)
      assert.deepEqual(
        read.headers.map(({ key }) => key),
        expected.headers.map(({ key }) => key),
        'no header more or less',
      )
      assert.equal(headerLine(read.subject ?? ''), mail.subjectFor(who))
      assert.equal(lines(read.html), lines(mail.htmlFor(who)))
      assert.equal(lines(read.text), lines(mail.textFor(who)))
      const shape = (html: string) =>
        tokensOf(html).map((token) =>
          token.kind === 'open' || token.kind === 'close' ? token.name : token.kind,
        )
      assert.deepEqual(shape(mail.htmlFor(who)), shape(mail.htmlFor({ ...person, firstName: 'Maya' })))
      const book = tokensOf(mail.htmlFor(who)).find((token) => token.kind === 'open' && token.name === 'a')
      assert.ok(book?.kind === 'open')
      const address = new URL(attributeOf(book, 'href') ?? '')
      assert.equal(address.origin + address.pathname, 'https://blue-door.org/book')
      assert.deepEqual([...address.searchParams.keys()], ['name', 'w'])
      assert.equal(mail.textFor(who).split('\n').length, mail.textFor(person).split('\n').length)
    }

    it('it stays a name: in header, HTML, address and text', async () => {
      for (const name of names) await assertNeutral(name)
    })

    it('and by chance', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.array(fc.constantFrom(...names)).map((all) => all.join('')),
          ),
          assertNeutral,
        ),
        { numRuns: 150 },
      )
    })

    it('it is not read again: a tag in it stays text', () => {
      const html = mailOf().htmlFor({ ...person, firstName: '{{venueName}}' })
      assert.match(html, />Hi \{\{venueName\}\}<\/h1>/)
    })

    it('signs that turn the direction of what follows are left out', () => {
      assert.equal(
        mailOf({ subject: '{{firstName|x}}' }).subjectFor({ ...person, firstName: 'a\u202Eb' }),
        'ab',
      )
    })
  })

  it('nothing in a venue’s or a header’s words can begin a header or a tag', async () => {
    const name = 'Door {{firstName|x}} \r\nBcc: x@example.com <script>"'
    const mail = mailOf({}, { ...venue, name, postalAddress: '1 <b>\n{{unsubscribeUrl}}' })
    const bytes = mail.messageFor(person, {
      ...header,
      from: { name, address: header.from.address },
      messageId: '<a@b.c>\r\nBcc: x@example.com',
      listId: `<a.b>\r\nBcc: x@example.com`,
      feedbackId: '1\r\nBcc: x@example.com',
      unsubscribeUrl: 'https://a.b/>\r\nBcc: x@example.com',
      unsubscribeMailbox: 'a>\r\nBcc: x@example.com',
    })
    const read = await parsed(bytes)
    assert.equal(read.headers.length, 14)
    assert.deepEqual(read.all('bcc'), [])
    assert.equal(read.from?.name, headerLine(name))
    assert.doesNotMatch(read.html ?? '', /<script|<b>/)
    assert.match(read.html ?? '', /1 &lt;b&gt;/)
    assert.match(read.html ?? '', /\{\{unsubscribeUrl\}\}/)
  })

  it('an address that cannot go over the wire is refused, not bent', () => {
    for (const to of ['josé@example.com', 'a@b.c\r\nBcc: x@example.com', 'a,b@c.de'])
      assert.throws(() => mailOf().messageFor(person, { ...header, to }), UnmailableAddress)
  })

  describe('in the guided format', () => {
    it('has the preheader first, the venue, its postal address, why, and both links', () => {
      const html = mailOf().htmlFor(person)
      assert.match(html, /<body[^>]*>\s*<div style="display:none[^>]*>Six kinds, Maya\.&#847;/)
      for (const said of [
        '12 Harbour Street',
        'Portland, ME 04101',
        '+1 207 555 0134',
        'You get this email because you signed up for news from The Blue Door.',
      ])
        assert.ok(html.includes(said), said)
      for (const [words, address] of [
        ['Unsubscribe', person.unsubscribeUrl],
        ['Email preferences', person.preferencesUrl],
      ] as const) {
        const link = new RegExp(`<a href="([^"]*)"[^>]*>${words}</a>`).exec(html)?.[1]
        assert.equal(decodeHtml(link ?? ''), address)
      }
    })

    it('without preheader there is no hidden block', () => {
      assert.doesNotMatch(mailOf({ preheader: ' ' }).htmlFor(person), /display:none/)
    })

    it('plain text is made from the body, not from the layout, and has a footer of its own', () => {
      assert.equal(
        mailOf().textFor(person),
        `Hi Maya

From The Blue Door. Book <https://blue-door.org/book?name=Maya&w=1>

For Maya

-- 
The Blue Door
12 Harbour Street
Portland, ME 04101
+1 207 555 0134

You get this email because you signed up for news from The Blue Door.
Unsubscribe: ${person.unsubscribeUrl}
Email preferences: ${person.preferencesUrl}
`,
      )
    })

    it('plain text that was given is used, with the same footer', () => {
      const text = mailOf({ bodyText: 'Hello {{firstName|you}} & all\r\n' }).textFor(person)
      assert.match(text, /^Hello Maya & all\n\n-- \nThe Blue Door/)
    })

    it('words without markup are set in paragraphs', () => {
      const mail = mailOf({ bodyHtml: 'Hi {{firstName|there}}\nand all,\n\nsee you < soon' })
      assert.match(
        mail.bodyFor(person),
        /<p[^>]*>Hi Maya<br \/>and all,<\/p>\n<p[^>]*>see you &lt; soon<\/p>/,
      )
      assert.match(mail.textFor(person), /^Hi Maya\nand all,\n\nsee you < soon\n\n-- \n/)
    })

    it('a table of figures stays one in plain text', () => {
      const bodyHtml =
        '<table><tr><th>Day</th><th>Open</th></tr><tr><td>Friday</td><td>17:00</td></tr></table><ol><li>One</li><li>Two</li></ol>'
      assert.match(
        mailOf({ bodyHtml }).textFor(person),
        /^Day {6}Open\nFriday {3}17:00\n\n 1\. One\n 2\. Two\n/,
      )
    })

    it('a picture too wide is narrowed where only the attribute is read', () => {
      const html = mailOf({
        bodyHtml: '<img src="https://a.org/b.jpg" alt="x" width="1200" height="700">',
      }).htmlFor(person)
      assert.match(
        html,
        /<img src="https:\/\/a\.org\/b\.jpg" alt="x" width="520" style="[^"]*max-width:100%[^"]*" \/>/,
      )
    })

    it('words on a ground of the writer’s own can be read, in the light and in the dark', () => {
      const link = (style: string) =>
        mailOf({ bodyHtml: `<a href="https://a.org/" style="${style}">x</a>` }).bodyFor(person)
      assert.match(link('background-color:#1c5878'), /color:#ffffff/)
      assert.match(link('background:rgb(250, 240, 230)'), /color:#2a2420/)
      assert.doesNotMatch(link('background-color:#1c5878;color:#eeeeee'), /#ffffff|m-link|m-ink/)
      assert.match(link('color:#333333'), /class="m-link m-ink"/)
    })

    it('the writer’s style wins over the layout’s', () => {
      const html = mailOf({ bodyHtml: '<p style="margin:0 0 4px">x</p>' }).htmlFor(person)
      assert.match(html, /style="margin:0 0 16px;margin-top:0;margin:0 0 4px"/)
    })

    it('is read in the direction of its letters; the footer stays as it is', () => {
      const html = mailOf({ bodyHtml: '<p>أسبوع المحار في الميناء</p>' }).htmlFor(person)
      assert.match(html, /<html lang="ar" dir="rtl"/)
      assert.match(html, /lang="en" dir="ltr"/)
      assert.match(mailOf().htmlFor(person), /<html lang="en" dir="ltr"/)
    })

    it('every ink can be read on its ground', async () => {
      const { dark, light } = await import('./palette.ts')
      for (const { page, card, ink, quiet, accent } of [light, dark])
        for (const [front, back] of [
          [ink, card],
          [ink, page],
          [accent, card],
          [quiet, page],
        ] as const)
          assert.ok(contrast(front, back) >= 4.5, `${front} on ${back}`)
    })
  })

  describe('in the html format', () => {
    const own =
      '<!doctype html><html><head><title>News</title><style>p{color:red}</style></head><body><p>Hi {{firstName|there}}</p><a href="{{unsubscribeUrl}}">Leave</a></body></html>'

    it('is the caller’s document with the preheader put in, and no footer', () => {
      const html = mailOf({ bodyFormat: 'html', bodyHtml: own }).htmlFor(person)
      assert.match(
        html,
        /^<!doctype html>\n<html lang="en" dir="ltr"><head><meta charset="utf-8"><title>News<\/title><style>p\{color:red\}<\/style><\/head><body><div style="display:none/,
      )
      assert.match(
        html,
        /<p>Hi Maya<\/p><a href="https:\/\/mail\.blue-door\.org\/u\/AbC-1_2\?x=1&amp;y=2">Leave<\/a><\/body><\/html>/,
      )
      assert.doesNotMatch(html, /Harbour/)
    })

    it('a fragment becomes a document', () => {
      const html = mailOf({ bodyFormat: 'html', bodyHtml: '<p>x</p>', preheader: '' }).htmlFor(person)
      assert.equal(
        html,
        '<!doctype html>\n<html lang="en" dir="ltr">\n<head><meta charset="utf-8"><title>Oysters all week, friends</title></head>\n<body>\n<p>x</p>\n</body>\n</html>\n',
      )
    })

    it('head and body are put in where one is missing', () => {
      for (const bodyHtml of [
        '<body><p>x</p></body>',
        '<html><p>x</p></html>',
        '<html><body><p>x</p></body></html>',
        '<head><style>a{b:c}</style></head><p>x</p>',
        '<html><head></head><p>x</p></html>',
      ]) {
        const html = mailOf({ bodyFormat: 'html', bodyHtml }).htmlFor(person)
        for (const once of ['<html', '<head>', '<title>', '<meta charset', 'Six kinds', '<p>x</p>'])
          assert.equal(html.split(once).length, 2, `${once} in ${html}`)
      }
    })

    it('the cells of a layout are read one after the other', () => {
      const bodyHtml = '<table><tr><td>One</td><td><table><tr><td>Two</td></tr></table></td></tr></table>'
      assert.match(mailOf({ bodyFormat: 'html', bodyHtml }).textFor(person), /^One\n+Two\n/)
    })

    it('the plain text has the link once', () => {
      const mail = mailOf({ bodyFormat: 'html', bodyHtml: own })
      assert.equal(mail.textFor(person), `Hi Maya\n\nLeave <${person.unsubscribeUrl}>\n`)
      const given = mailOf({ bodyFormat: 'html', bodyHtml: own, bodyText: 'Hello' })
      assert.equal(given.textFor(person), `Hello\n\nUnsubscribe: ${person.unsubscribeUrl}\n`)
    })
  })

  it('a hidden address of a tag inside another address is written as part of it', () => {
    const mail = mailOf({ bodyHtml: '<a href="https://r.org/?to={{unsubscribeUrl}}">x</a>' })
    assert.match(
      mail.bodyFor(person),
      /href="https:\/\/r\.org\/\?to=https%3A%2F%2Fmail\.blue-door\.org%2Fu%2FAbC-1_2%3Fx%3D1%26y%3D2"/,
    )
  })

  it('the preview is what the sample person gets', () => {
    const { subject, preheader, html, text, htmlBytes } = previewOf(mailOf())
    assert.equal(preheader, 'Six kinds, Alex.')
    assert.equal(subject, 'Oysters all week, Alex')
    assert.match(html, /Hi Alex/)
    assert.match(text, /Hi Alex/)
    assert.equal(htmlBytes, Buffer.byteLength(html))
  })

  it('any input compiles, and no part of a body breaks out of it', () => {
    fc.assert(
      fc.property(
        fc.record({
          subject: fc.string({ unit: 'binary' }),
          preheader: fc.string({ unit: 'binary' }),
          bodyHtml: fc.string({
            unit: fc.constantFrom(
              '{{',
              '}}',
              'firstName|',
              '<p>',
              '<a href="',
              '">',
              '\uE000',
              '1',
              '\uE001',
              '<',
              '&',
            ),
          }),
          bodyText: fc.string({ unit: 'binary' }),
          bodyFormat: fc.constantFrom('guided' as const, 'html' as const),
        }),
        (some) => {
          const message = compileMail(some, venue).messageFor(person, header).toString('latin1')
          assert.equal(message.split('--=_mail-part').length, 4)
          assert.doesNotMatch(compileMail(some, venue).htmlFor(person), /[\uE000\uE001]/)
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** WCAG 2, relative luminance. */
const contrast = (a: string, b: string): number => {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return red * 0.2126 + green * 0.7152 + blue * 0.0722
  }
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}
