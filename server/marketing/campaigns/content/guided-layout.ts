import type { Language } from './language.ts'
import type { MailVenue } from './mail-template.ts'
import { cardWidth, dark, light, sans, serif } from './palette.ts'
import { escapeHtml } from './tokens.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'

/*
 * The guided layout: a card of 600 pixels on a page, made of tables with styles in the elements, as mail programs
 * need it. The style sheets add what only some can do: narrow screens and the dark. They are two, for a program that
 * stumbles over one drops it whole. There is no picture in it.
 */

/** Everything as HTML, with marks where people differ. */
export type Laid = {
  readonly title: string
  readonly preheader: string
  readonly body: string
  readonly unsubscribeUrl: string
  readonly preferencesUrl: string
  readonly language: Language
}

export const guidedLayout = (venue: MailVenue, laid: Laid): string => {
  const { language } = laid
  return `<!doctype html>
<html lang="${language.lang}" dir="${language.dir}" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${laid.title}</title>
<style>${narrowSheet}</style>
<style>${darkSheet}</style>
</head>
<body class="m-page" style="margin:0;padding:0;background-color:${light.page};-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%">
${laid.preheader}<table role="presentation" class="m-page" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;background-color:${light.page}">
<tr><td class="m-gutter" align="center" style="padding:32px 12px">
<table role="presentation" width="${cardWidth}" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:${cardWidth}px;table-layout:fixed">
<tr><td class="m-ink m-name" align="center" style="padding:4px 16px 24px;color:${light.ink};font-family:${serif};font-size:22px;line-height:28px;letter-spacing:0.5px;text-align:center;word-break:break-word">${escapeHtml(venue.name)}</td></tr>
<tr><td class="m-card m-body" dir="${language.dir}" style="padding:40px 40px 24px;background-color:${light.card};border-top:3px solid ${light.accent};color:${light.ink};font-family:${sans};font-size:16px;line-height:26px;text-align:${language.dir === 'rtl' ? 'right' : 'left'};word-break:break-word;overflow-wrap:anywhere">
${laid.body}
</td></tr>
<tr><td class="m-foot" lang="en" dir="ltr" align="center" style="padding:28px 24px 8px;color:${light.quiet};font-family:${sans};font-size:13px;line-height:21px;text-align:center;word-break:break-word">
${footer(venue, laid)}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** Why somebody gets the mail; the plain text says the same. */
export const whyYouGetThis = (venueName: string): string =>
  endSentence(`You get this email because you signed up for news from ${venueName}`)

const footer = (venue: MailVenue, { unsubscribeUrl, preferencesUrl }: Laid): string => {
  const lines = [
    `<strong style="font-weight:bold">${escapeHtml(venue.name)}</strong>`,
    ...addressLines(venue).map(escapeHtml),
  ]
  const link = (address: string, words: string) =>
    `<a href="${address}" class="m-foot" style="color:${light.quiet};text-decoration:underline">${words}</a>`
  return (
    `<p style="margin:0 0 12px">${lines.join('<br>\n')}</p>\n` +
    `<p style="margin:0 0 12px">${escapeHtml(whyYouGetThis(venue.name))}</p>\n` +
    `<p style="margin:0">${link(unsubscribeUrl, 'Unsubscribe')}&ensp;&middot;&ensp;${link(preferencesUrl, 'Email preferences')}</p>`
  )
}

/** The postal address line by line, and the phone number. */
export const addressLines = ({ postalAddress, phone }: MailVenue): string[] =>
  [...(postalAddress ?? '').split('\n'), phone ?? ''].map((line) => line.trim()).filter((line) => line !== '')

/** How many times the blank filler is repeated; enough for the longest preview line there is. */
const fillerRepeats = 100

/**
 * The line that email apps show next to the subject, hidden in the email itself. Filler behind it keeps them from
 * going on with the body. Empty when there is no line: the body's own words are then shown.
 */
export const preheaderBlock = (preheader: string): string =>
  preheader === ''
    ? ''
    : `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all">${preheader}${'&#847;&zwnj;&nbsp;'.repeat(fillerRepeats)}</div>\n`

const narrowSheet = `
a:hover{text-decoration:none!important}
@media (max-width:480px){
.m-gutter{padding:16px 0!important}
.m-body{padding:28px 20px 12px!important}
h1{font-size:27px!important;line-height:33px!important}
h2{font-size:22px!important;line-height:28px!important}
}
`

const darkSheet = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.m-page{background-color:${dark.page}!important}
.m-card{background-color:${dark.card}!important;border-top-color:${dark.accent}!important;color:${dark.ink}!important}
.m-ink{color:${dark.ink}!important}
.m-link{color:${dark.accent}!important}
.m-rule{border-color:${dark.rule}!important}
.m-mark{border-color:${dark.accent}!important}
.m-foot{color:${dark.quiet}!important}
}
`
