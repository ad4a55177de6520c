/* Mails as servers send them back, for tests. The shapes are those of Postfix, of a feedback loop and of an auto-reply. */

const crlf = (text: string): Buffer => Buffer.from(text.replaceAll('\n', '\r\n'))

export const deliveryStatus = ({
  to,
  messageId,
  status = '5.1.1',
  action = 'failed',
}: {
  readonly to: string
  readonly messageId: string
  readonly status?: string
  readonly action?: string
}): Buffer =>
  crlf(`Return-Path: <>
Delivered-To: ${to}
Date: Tue, 6 Oct 2026 15:04:05 -0400 (EDT)
From: MAILER-DAEMON@mx.example.net (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="8F3C.1/mx.example.net"

This is a MIME-encapsulated message.

--8F3C.1/mx.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

Your message could not be delivered.

--8F3C.1/mx.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net
X-Postfix-Queue-ID: 8F3C
Arrival-Date: Tue, 6 Oct 2026 15:04:04 -0400 (EDT)

Final-Recipient: rfc822; maya@example.net
Original-Recipient: rfc822;maya@example.net
Action: ${action}
Status: ${status}
Remote-MTA: dns; mail.example.net
Diagnostic-Code: smtp; 550 ${status} <maya@example.net>: Recipient address
    rejected: User unknown

--8F3C.1/mx.example.net
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

From: The Blue Door <news@example.com>
To: maya@example.net
Subject: Oysters
Message-ID: ${messageId}

--8F3C.1/mx.example.net--
`)

export const feedbackReport = ({
  messageId,
  type = 'abuse',
  mailFrom,
}: {
  readonly messageId: string
  readonly type?: string
  readonly mailFrom?: string
}): Buffer =>
  crlf(`From: <feedback@example.net>
Date: Tue, 6 Oct 2026 15:04:05 -0400
Subject: FW: Oysters
To: <postmaster@example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
     boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1${mailFrom === undefined ? '' : `\nOriginal-Mail-From: <${mailFrom}>`}

--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

From: The Blue Door <news@example.com>
To: <redacted@example.net>
Subject: Oysters
Message-ID: ${messageId}
Content-Type: text/plain

Six kinds.
--part1_13d.2e68ed54_boundary--
`)

/** Somebody is away; their program quotes the mail and answers to the envelope sender. */
export const autoReply = ({ to, messageId }: { readonly to: string; readonly messageId: string }): Buffer =>
  crlf(`From: Maya Okafor <maya@example.net>
To: ${to}
Subject: Out of office: Oysters
Auto-Submitted: auto-replied
In-Reply-To: ${messageId}
Content-Type: text/plain

I am away. Status: 5.1.1 is what I would say.
`)

export const leavingMail = ({ to }: { readonly to: string }): Buffer =>
  crlf(`From: Maya Okafor <maya@example.net>
To: ${to}
Subject: unsubscribe

`)
