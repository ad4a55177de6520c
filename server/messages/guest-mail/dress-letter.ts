import { accentColors } from '../guest-words/accent.ts'
import type { Words } from '../guest-words/en.ts'
import { type Html, html, textOf } from '../../platform/html/html.ts'
import type { GuestLanguage } from '../../platform/kernel/guest-language.ts'
import type { ShownPhone } from '../../platform/kernel/phone/shown-phone.ts'
import type { Letter, LetterTable } from './letter.ts'

/** Who a mail is from, as its layout shows it. */
export type LetterVenue = {
  readonly name: string
  /** On one line; '' if the venue has none. */
  readonly address: string
  readonly phone: ShownPhone | undefined
  /** Whether an answer to the mail reaches them. */
  readonly hasReplies: boolean
  readonly accent: string
  /** By its public address, where mail programs can show it. */
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null
}

const sans = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const serif = "font-family:Georgia,'Times New Roman',serif"
const tones = { good: '#1c6a41', wait: '#80510a', bad: '#ad2a20' } as const
const marks = { good: '✓', wait: '…', bad: '✕' } as const

/**
 * A mail in HTML: tables and inline styles, which every mail program reads; the style element only adds the dark and the
 * small screen, so that a program that drops it loses nothing. No pure white or black text, for those that turn colors
 * round by themselves.
 */
export const htmlOf = (letter: Letter, venue: LetterVenue, language: GuestLanguage, words: Words): string => {
  const { name, address, phone, accent, logo } = venue
  const { fill, onFill, light, dark } = accentColors(accent)
  const style = `:root{color-scheme:light dark}
@media(max-width:480px){.pad{padding:24px 16px!important}.sl{padding:10px 8px!important}.sv{font-size:17px!important}}
@media(prefers-color-scheme:dark){.page{background:#14171a!important}.card{background:#1d2125!important;border-color:#363c43!important}.c-ink{color:#edeae5!important}.c-soft{color:#adb2b9!important}.c-acc{color:${dark.accent}!important}.c-good{color:#7fd3a4!important}.c-wait{color:#f0c674!important}.c-bad{color:#ff9d92!important}.b-line{border-color:#363c43!important}.btn{border-color:${dark.accent}!important}.bar{background:${dark.accent}!important}}`
  const paragraph = (text: string): Html =>
    html`<p class="c-ink" style="margin:0 0 16px;${sans};font-size:17px;line-height:26px;color:#20242a">${lines(text)}</p>`
  const small = (text: Html): Html =>
    html`<p class="c-soft" style="margin:0 0 16px;${sans};font-size:15px;line-height:22px;color:#595f67">${text}</p>`
  return textOf(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${letter.subject}</title>
<style>${style}</style>
${letter.factsForMachines}
</head>
<body class="page" style="margin:0;padding:0;background:#f8f5f0">
<div style="display:none;max-height:0;overflow:hidden">${letter.preheader}</div>
<div role="main"><table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" bgcolor="#f8f5f0" style="background:#f8f5f0"><tr><td align="center" style="padding:24px 8px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px">
<tr>${
    logo
      ? html`<td style="padding:0 16px 16px"><table role="presentation" cellpadding="0" cellspacing="0"><tr><td style="padding-right:12px"><img src="${logo.url}" width="${logo.width}" height="${logo.height}" alt="" style="display:block;border:0;border-radius:10px"></td><td class="c-ink" style="${serif};font-size:18px;font-weight:bold;color:#20242a">${name}</td></tr></table></td>`
      : html`<td class="c-ink" style="padding:0 16px 16px;${serif};font-size:18px;font-weight:bold;color:#20242a">${name}</td>`
  }</tr>
<tr><td class="card pad" bgcolor="#ffffff" style="padding:32px;background:#ffffff;border:1px solid #e0d9ce;border-radius:16px">
${
  letter.state &&
  html`<p class="c-${letter.state.tone}" style="margin:0 0 8px;${sans};font-size:15px;line-height:22px;font-weight:bold;color:${tones[letter.state.tone]}">${marks[letter.state.tone]} ${letter.state.words}</p>`
}
<h1 class="c-ink" style="margin:0 0 16px;${serif};font-size:30px;line-height:36px;font-weight:bold;color:#20242a">${letter.title}</h1>
${
  letter.slip &&
  html`<table role="presentation" class="b-line" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;border:1px solid #e0d9ce;border-radius:4px 4px 12px 12px"><tr><td colspan="${letter.slip.length}" height="4" bgcolor="${fill}" style="height:4px;line-height:4px;font-size:0;background:${fill}">&nbsp;</td></tr><tr>${letter.slip.map(
    ([label, value], at) =>
      html`<td class="b-line sl" valign="top" style="padding:12px 14px;${at > 0 && 'border-left:1px solid #e0d9ce'}"><div class="c-soft" style="${sans};font-size:13px;line-height:18px;color:#595f67">${label}</div><div class="c-ink sv" style="${serif};font-size:20px;line-height:26px;font-weight:bold;color:#20242a">${value}</div></td>`,
  )}</tr></table>`
}
${letter.paragraphs.map(paragraph)}
${
  letter.facts &&
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px">${letter.facts.map(
    ([label, value]) =>
      html`<tr><td class="c-soft" valign="top" style="padding:5px 18px 5px 0;${sans};font-size:16px;line-height:24px;color:#595f67">${label}</td><td class="c-ink" valign="top" style="padding:5px 0;${sans};font-size:16px;line-height:24px;color:#20242a">${lines(value)}</td></tr>`,
  )}</table>`
}
${letter.tables?.map((table) => tableOf(table, light.accent))}
${
  letter.button &&
  html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 12px"><tr><td class="btn" bgcolor="${fill}" style="background:${fill};border:2px solid ${light.accent};border-radius:12px"><a href="${letter.button.url}" style="display:inline-block;padding:14px 26px;${sans};font-size:17px;line-height:22px;font-weight:bold;color:${onFill === '#000000' ? '#0a0a0a' : '#fefefe'};text-decoration:none">${letter.button.words}</a></td></tr></table>`
}
${letter.link && small(html`<a class="c-acc" href="${letter.link.url}" style="padding:13px 0;color:${light.accent}">${letter.link.words}</a>`)}
${letter.foot !== undefined && small(html`${letter.foot}`)}
</td></tr>
<tr><td style="padding:20px 16px">${small(html`${[name, address].filter(Boolean).join(', ')}${phone && html`<br><a class="c-acc" href="${phone.call}" style="padding:13px 0;color:${light.accent}">${phone.words}</a>`}`)}${small(html`${whyOf(letter, venue, words)}`)}${letter.leave && small(html`<a class="c-acc" href="${letter.leave.url}" style="padding:13px 0;color:${light.accent}">${letter.leave.words}</a>`)}</td></tr>
</table>
</td></tr></table></div>
</body>
</html>
`)
}

/** Bars are cells, as no mail program draws: one as wide as its share, and one for the rest. */
const tableOf = ({ title, rows }: LetterTable, color: string): Html => {
  const cell = (style: string): string => `padding:4px 0;${sans};font-size:15px;line-height:22px;${style}`
  return html`<h2 class="c-ink" style="margin:20px 0 6px;${serif};font-size:20px;line-height:26px;font-weight:bold;color:#20242a">${title}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px">${rows.map(
    ({ label, words, bar }) =>
      html`<tr><th class="c-soft" scope="row" align="left" valign="top" width="${bar === undefined ? '50%' : '32%'}" style="${cell('padding-right:12px;font-weight:normal;text-align:left;color:#595f67')}">${label}</th>${bar !== undefined && html`<td valign="middle" style="${cell('')}">${barOf(bar, color)}</td>`}<td class="c-ink" align="${bar === undefined ? 'left' : 'right'}" valign="top"${bar !== undefined && html` width="14%"`} style="${cell('color:#20242a')}">${words}</td></tr>`,
  )}</table>`
}

const barOf = (bar: number, color: string): Html => {
  const wide = Math.round(bar * 100)
  return html`<table role="presentation" aria-hidden="true" width="100%" cellpadding="0" cellspacing="0"><tr>${wide > 0 && html`<td class="bar" width="${wide}%" height="12" bgcolor="${color}" style="height:12px;line-height:12px;font-size:0;background:${color}">&nbsp;</td>`}${wide < 100 && html`<td width="${100 - wide}%" height="12" style="height:12px;line-height:12px;font-size:0">&nbsp;</td>`}</tr></table>`
}

const lines = (text: string): Html =>
  html`${text.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)}`

/** Why somebody gets the mail, and whether they can answer it. */
const whyOf = (letter: Letter, { hasReplies }: LetterVenue, { mail }: Words): string =>
  letter.why ?? [letter.own ?? mail.own, hasReplies && mail.reply].filter(Boolean).join(' ')

/** A fact in a line, or below its label where it has several; a label that asks ends as it is. */
const factLine = (label: string, value: string): string =>
  `${label}${/[?？]$/.test(label) ? '' : ':'}${value.includes('\n') ? '\n' : ' '}${value}`

/** Signs of the longest bar in plain text. */
const barSigns = 20

const plainTable = ({ title, rows }: LetterTable): string => {
  const longest = Math.max(...rows.map(({ label }) => label.length))
  return [
    title,
    ...rows.map(({ label, words, bar }) =>
      bar === undefined
        ? `${label}: ${words}`
        : `${label.padEnd(longest)}  ${'#'.repeat(Math.ceil(bar * barSigns)).padEnd(barSigns)}  ${words}`,
    ),
  ].join('\n')
}

/** The same as plain text, made from the letter and not from its layout. */
export const plainTextOf = (letter: Letter, venue: LetterVenue, words: Words): string => {
  const { name, address, phone } = venue
  const pairs = [...(letter.slip ?? []), ...(letter.facts ?? [])]
  return [
    letter.state?.words,
    letter.title,
    pairs.map(([label, value]) => factLine(label, value)).join('\n'),
    ...letter.paragraphs,
    ...(letter.tables ?? []).map(plainTable),
    letter.button && `${letter.button.words}:\n${letter.button.url}`,
    letter.link && `${letter.link.words}:\n${letter.link.url}`,
    letter.foot,
    [
      ...['-- ', [name, address].filter(Boolean).join(', '), phone?.words, whyOf(letter, venue, words)],
      letter.leave && `${letter.leave.words}:\n${letter.leave.url}`,
    ]
      .filter(Boolean)
      .join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n')
}
