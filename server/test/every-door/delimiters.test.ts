import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportsOfPostmark } from '../../marketing/bounces/postmark.ts'
import { mailsOfMailbox, readReportMail } from '../../marketing/bounces/read-report-mail.ts'
import { reportsOfSendgrid } from '../../marketing/bounces/sendgrid.ts'
import { isAddressOfSns, isSignedBySns, reportsOfSes } from '../../marketing/bounces/ses.ts'
import { parseJson } from '../../platform/http/read-body.ts'
import { readForm } from '../../platform/http/read-form.ts'
import { rowsOfFile } from '../../data/imports/csv-file.ts'
import { guessSeparator } from '../../platform/kernel/csv/csv-reader.ts'
import { meantCell } from '../../platform/kernel/csv/csv-text.ts'
import { emailKey, isEmailAddress } from '../../platform/kernel/email.ts'
import { jsonFault } from '../../platform/kernel/json.ts'
import { readMailbox } from '../../platform/kernel/mailbox.ts'
import { networkOf } from '../../platform/kernel/network.ts'
import { dialedOf, phoneKey } from '../../platform/kernel/phone/phone.ts'
import { phoneForGuests, phoneIn } from '../../platform/kernel/phone/shown-phone.ts'
import { readDate, readMoment, readQueryMoment, readTime } from '../../platform/kernel/time/written-time.ts'
import { keptAnswer } from '../../mail/answers.ts'
import { withTables } from '../../book/tables/floor-csv.ts'
import { readLogo } from '../../core/venue/logo/read-logo.ts'
import { readRulesDocument } from '../../book/rules/rules-document.ts'
import { checkDestination } from '../../platform/net/destination.ts'
import { isOfTwilio, twilioReply } from '../../book/texts/twilio.ts'
import { stripeProcessors } from '../../core/money/stripe.ts'
import { guestSettingsMistakes } from '../../core/venue/guest-settings-rules.ts'
import { originOf, readOrigin } from '../../doors/guest-pages/frame/origin.ts'
import { clientIn } from '../../doors/oauth/client-in.ts'
import { readApp } from '../../integrations/apps/app-fields.ts'
import { isDocument } from '../../integrations/apps/client-document.ts'
import { readCursor } from '../../integrations/changes/cursor.ts'

/*
 * Every reader of strangers' input is fed half a megabyte of the delimiters it looks for: brackets that never close, commas
 * without a word between them. While one text is read, every other request of the process waits, so each has a bound. It
 * is counted in time of the processor: a busy machine makes all wait, and says nothing about the reader.
 */

const long = 500 * 1024
const mostMs = 1_000

type Reader = {
  /** Reads a text; what it says of it, a refusal too, is of no matter here. */
  readonly read: (text: string) => unknown
  /** What the text is read by. */
  readonly by: readonly string[]
  readonly starts?: readonly string[]
  /** Where nobody waits for it: the part of the length that is enough to see that time grows with it evenly. */
  readonly share?: number
}

const readers: Readonly<Record<string, Reader>> = {
  'a logo': {
    read: (text) => readLogo(Buffer.from(text)),
    by: [
      '<!---->',
      '<!--',
      '-->',
      '<?',
      '?>',
      '<??>',
      ' ',
      '\n',
      '[',
      ']',
      '>',
      '<!DOCTYPE',
      '<!DOCTYPE>',
      '<!DOCTYPE[]>',
      '<svg ',
      '<g>',
      '</g>',
      '"',
      'a="" ',
      '&amp;',
      '&',
      '<![CDATA[',
      'url(',
      '/*',
      '*/',
      '/* */',
    ],
    starts: [
      '',
      '<?xml version="1.0"?>',
      '<!--',
      '<!DOCTYPE svg [',
      '<!DOCTYPE',
      '<svg viewBox="0 0 9 9">',
      '<svg viewBox="0 0 9 9"><style>',
      '<svg viewBox="0 0 9 9"><path d="',
      '<svg viewBox="',
    ],
  },
  'a list as CSV': {
    read: async (text) => {
      for await (const rows of rowsOfFile([Buffer.from(text)] as never, ','))
        for (const { cells } of rows) cells.forEach(meantCell)
    },
    by: [',', ';', '"', '""', '","', '"\n', '\n', '\r', '\r\n', "'", '=', '\t', ' '],
    starts: ['', '"', 'email\n', "'"],
  },
  'the separator of a list': {
    read: guessSeparator,
    by: ['"', '""', '","', ',', '\n', ' ', '" '],
    starts: ['', '"'],
  },
  'tables as CSV': {
    read: (text) =>
      withTables({ rooms: [], tables: [], combinations: [], outages: [], plans: [] } as never, text),
    by: [',', '"', '""', '\n', ';', '; '],
    starts: ['', 'label,room,most\n', 'label,room,most,features\nA,B,3,'],
  },
  // The operator's command reads it, in a process of its own, line by line.
  'a mail that came back': {
    share: 0.02,
    read: (text) => readReportMail(Buffer.from(text)),
    by: [
      '\r\n',
      '\n',
      ':',
      ' ',
      '\t',
      ';',
      '--a\r\n',
      '--',
      '=',
      '=?',
      '=?utf-8?q?a?= ',
      '<',
      '>',
      '@',
      ',',
      '"',
      '(',
      '\\',
      'a:b\r\n',
      '\r\n ',
      '\n\n',
      'Status: 5.1.1\n',
      'Status:\n ',
    ],
    starts: [
      '',
      'From: a@b.c\r\nTo: ',
      'Content-Type: multipart/report; boundary=a\r\n\r\n',
      'Content-Type: multipart/report; boundary=a; report-type=delivery-status\r\n\r\n--a\r\nContent-Type: message/delivery-status\r\n\r\n',
      'Content-Type: ',
      'Subject: ',
      'Content-Transfer-Encoding: quoted-printable\r\n\r\n',
    ],
  },
  'a mailbox of mails': {
    read: (text) => mailsOfMailbox(Buffer.from(text)),
    by: ['From ', 'From \n', '>', '>From ', '\n>', '\n', 'From \r\n'],
    starts: ['From ', 'From a\n'],
  },
  'a body as JSON': {
    read: (text) => jsonFault(parseJson(Buffer.from(text))),
    by: ['[', ']', '{', '{"a":', '"', ',', ':', '\\', '\\u', ' ', '-', '1', '[],', '{},', '0.', 'e'],
    starts: ['', '[', '{', '"', '{"a":"'],
  },
  'a form': { read: readForm, by: ['&', '=', '%', '+', '%2', '%00', '&a=', ';'], starts: ['', 'a='] },
  'a report of SES': {
    read: (text) => [
      isAddressOfSns(text, text),
      reportsOfSes(text, 'x'),
      isSignedBySns({ Message: text, SigningCertURL: text, Signature: text, TopicArn: text }, text),
    ],
    by: ['/', '.', ':', '-', '=', '-----BEGIN CERTIFICATE-----', '\n', 'a.', '?', '#'],
    starts: ['', 'https://', 'https://sns.', 'arn:aws:sns:'],
  },
  'reports of Postmark and SendGrid': {
    read: (text) => [
      reportsOfPostmark({
        RecordType: 'Bounce',
        Email: text,
        Details: text,
        Description: text,
        Metadata: { copy: text },
      }),
      reportsOfSendgrid([
        { event: 'bounce', email: text, reason: text, status: text, 'smtp-id': text, copy: text },
      ]),
    ],
    by: ['<', '>', '@', '.', ' ', '5.', ','],
    starts: ['', '<'],
  },
  'what a mail server said': {
    read: (text) => keptAnswer(text, 'someone@example.com'),
    by: ['@', '<', '>', 'a', 'a@', '.', ' ', ':', '[', '\n'],
    starts: [''],
  },
  'an email address': {
    read: (text) => [isEmailAddress(text), emailKey(text), readMailbox(text), keptAnswer(text)],
    by: ['@', '.', 'a.', 'a', '-', '<', '>', '"', ' ', ',', '<a>'],
    starts: ['', 'a@', 'a <', 'a@b.'],
  },
  'a phone number': {
    read: (text) => [
      phoneKey(text),
      dialedOf(text),
      phoneIn('US', text),
      phoneForGuests({ country: 'GB', phone: text }),
    ],
    by: ['+', '0', '1', '(', ')', ' ', '-', '.', 'x', '00'],
    starts: ['', '+'],
  },
  'a date, a time and a moment': {
    read: (text) => [readDate(text), readTime(text), readMoment(text), readQueryMoment(text)],
    by: ['-', ':', 'T', 'Z', '0', '.', '[', ']', ' ', '+', ':00 ', ':00 00[', '[]'],
    starts: ['', '2026-10-06T19:00:00', '2026-10-06T19:00:00.'],
  },
  'a network address': {
    read: networkOf,
    by: [':', '.', '%', '[', ']', '1.', 'f:', '::', '0'],
    starts: ['', '::', '1.2.3.4'],
  },
  'the address of an endpoint': {
    read: (text) => checkDestination(text),
    by: ['/', '.', ':', '?', '#', '@', '%', 'a.', '[', '-', 'xn--'],
    starts: ['', 'https://', 'https://a.example/', 'https://a.example?'],
  },
  'a call of the payment provider': {
    read: (text) => {
      const { readCall } = stripeProcessors()
      return [
        readCall(Buffer.from(text), 't=1791226800,v1=00', 'whsec_x'),
        readCall(Buffer.from('{}'), text, 'whsec_x'),
      ]
    },
    by: [',', '=', 't=', 'v1=', 't=1,', 'v1=0,', ' ', '{', '"', '['],
    starts: ['', 't=1791226800,v1='],
  },
  'a text message and its signature': {
    read: (text) => [isOfTwilio('token', text, text, { From: text, Body: text }), twilioReply(text)],
    by: ['/', ':', ':1', '?', '#', '&', '<', '>', '+', ' ', '\n'],
    starts: ['', 'https://', 'https://a.example:', 'https://a.example/'],
  },
  'an app that signs in, and what it says of itself': {
    read: (text) => [
      clientIn(text, new Map()),
      isDocument(text, ['a.example']),
      readApp(
        {
          ...{ kind: 'assistant', resource: null, name: text.slice(0, 9), home: text, privacy: text },
          ...{ redirects: [text], needed: [], optional: [] },
        },
        false,
      ),
    ],
    by: [' ', '=', 'A', '/', '+', ':', '%', '.', '@', '#', '*'],
    starts: ['', 'Basic ', 'Basic YTpi', 'https://a.example/', 'https://'],
  },
  'where a guest came from': {
    read: (text) => [
      originOf(
        { headers: { referer: text }, host: 'a', url: `/v/a?utm_campaign=${text}` } as never,
        undefined,
      ),
      originOf({ headers: {}, host: 'a', url: `/v/a?${text}` } as never, text),
      readOrigin([] as never, 1 as never, text, Temporal.Instant.from('2026-10-06T19:00:00Z')),
    ],
    by: ['&', '=', '%', '%20', '+', ' ', '.', '@', '/', 'utm_campaign=', '-', '\u00a0', '\t'],
    starts: ['', 'https://', 'a.', 'utm_campaign='],
  },
  'a cursor': {
    read: (text) => readCursor('changes', text),
    by: ['c1_', '_', '-', 'A', '='],
    starts: ['', 'c1_'],
  },
  'the settings of guest pages': {
    read: (text) =>
      guestSettingsMistakes({ frameSites: [text], accent: text, menuUrl: text, questions: [text] }),
    by: ['/', ':', '.', '#', '@', '?', ' ', '\n', '-'],
    starts: ['', 'https://', 'https://a.example'],
  },
  'the rules of a venue': {
    read: (text) =>
      readRulesDocument({
        hours: text,
        tables: [text],
        blocks: [{ date: text, from: text }],
        specialDays: [{ date: text, name: text }],
        [text]: text,
        services: [{ name: text, start: text, days: [text] }],
      }),
    by: [':', '-', ',', ' ', '0', '"', '[', '\n'],
    starts: ['', '19:'],
  },
}

describe('code that reads what strangers send', () => {
  for (const [what, { read, by, starts = [''], share = 1 }] of Object.entries(readers))
    it(`${what} of half a megabyte of its own delimiters holds nobody up`, async () => {
      for (const start of starts)
        for (const one of by) {
          const text = start + one.repeat(Math.ceil((share * long) / one.length))
          const before = process.threadCpuUsage()
          await Promise.resolve(text)
            .then(read)
            .catch(() => undefined)
          const { user, system } = process.threadCpuUsage(before)
          assert.ok((user + system) / 1_000 < mostMs, `${JSON.stringify(start)} and ${JSON.stringify(one)}`)
        }
    })
})
