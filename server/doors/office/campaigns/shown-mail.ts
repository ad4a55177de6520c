import { type BodyFormat, bodyFormats } from '@venue-data/contract/records/campaign.ts'
import { mailFactsOf } from '../../../marketing/campaigns/checklist/facts.ts'
import { mailVenueOf } from '../../../marketing/campaigns/content-of.ts'
import { compileAside } from '../../../marketing/campaigns/content/long-bodies.ts'
import { assertBodyIsBounded, mailProblem } from '../../../marketing/campaigns/content/body-size.ts'
import { checkMail } from '../../../marketing/campaigns/checklist/checklist.ts'
import { compileMail } from '../../../marketing/campaigns/content/compile-mail.ts'
import type { MailContent } from '../../../marketing/campaigns/content/mail-template.ts'
import { previewOf, samplePerson } from '../../../marketing/campaigns/content/preview.ts'
import type { CampaignRow } from '../../../marketing/campaigns/reads.ts'
import type { SenderParts } from '../../../marketing/campaigns/checklist/sender-facts.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { bodyFromTyped } from '../../../marketing/campaigns/typed-body.ts'
import { senderOf } from '../../../mail/addressing.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import type { Form } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type Checked, checklistPart, inboxPart } from './checklist.ts'

/* An email as it would arrive, from what is saved or from what somebody is typing. None of it is stored. */

/** What is in the editor right now, right or wrong. */
export const contentIn = (form: Form): MailContent => {
  const bodyFormat = bodyFormats.find((one): one is BodyFormat => one === form.text('bodyFormat')) ?? 'guided'
  return {
    subject: form.text('subject'),
    preheader: form.text('preheader'),
    bodyHtml: bodyFromTyped(bodyFormat, form.text('bodyHtml').replaceAll(/\r\n?/g, '\n')),
    bodyText: form.text('bodyText').replaceAll(/\r\n?/g, '\n'),
    bodyFormat,
  }
}

/** The document for the frame. Its links go nowhere: the frame cannot open windows. */
export const documentOf = async ({ db, venue }: OfficeWork, content: MailContent): Promise<string> => {
  assertBodyIsBounded(content.bodyHtml)
  const mail = await compileAside(venue.id, content, mailVenueOf(await venueOfSlug(db, venue.slug)))
  return previewOf(mail).html.replace(/<head\b[^<>]*>/i, (head) => `${head}<base target="_blank">`)
}

/** What blocks a campaign as saved, and what could be better, if it went out now. */
export const checklistOf = async (
  parts: SenderParts,
  { db, venue, now }: OfficeWork,
  row: CampaignRow,
  leavesAt: Temporal.Instant,
): Promise<Checked> => checkMail(await mailFactsOf(db, parts, venue, row, { now: now(), leavesAt }))

/** Text that differs from what was tested is untested. */
const withWords = (row: CampaignRow, content: MailContent): CampaignRow => {
  const words = {
    subject: content.subject,
    preheader: content.preheader,
    body_html: content.bodyHtml,
    body_text: content.bodyText,
    body_format: content.bodyFormat,
  }
  const isSame = Object.entries(words).every(([name, text]) => row[name as keyof typeof words] === text)
  return { ...row, ...words, test_sent_at: isSame ? row.test_sent_at : null }
}

/** Rendering takes about one millisecond per kilobyte; a long email is not checked while it is typed. */
const mostLive = 200_000

/** What the page says about an email that is not saved: while it is typed, and after a save that was refused. */
export const unsavedPart = async (
  context: SenderParts,
  work: OfficeWork,
  row: CampaignRow,
  content: MailContent,
): Promise<Html> => {
  if (content.bodyHtml.length + content.bodyText.length > mostLive)
    return html`<p class="hint" role="status">This email is very long. It is checked when you save it.</p>`
  // What cannot be saved may take any time to render.
  const problem = mailProblem(content)
  if (problem !== undefined) return html`<p class="hint" role="status">${problem}</p>`
  return checkedPart(context, work, row, content)
}

/** The email in the inbox, its checklist, and its plain text. */
export const checkedPart = async (
  parts: SenderParts,
  { db, venue, now }: OfficeWork,
  campaign: CampaignRow,
  content: MailContent,
  { onlyInbox = false } = {},
): Promise<Html> => {
  const row = await venueOfSlug(db, venue.slug)
  const words = withWords(campaign, content)
  const facts = await mailFactsOf(db, parts, venue, words, { now: now(), leavesAt: null })
  const line = { ...content, subject: content.preheader, bodyHtml: '', bodyText: '' }
  return html`${inboxPart({
    from: senderOf(parts.config, row).name,
    subject: facts.mail.subjectFor(samplePerson),
    preheader: compileMail(line, mailVenueOf(row)).subjectFor(samplePerson),
  })}${!onlyInbox && checklistPart(whileWriting(checkMail(facts)))}
  <details class="card plain-mail">
    <summary>As plain text</summary>
    <p class="lines small">${facts.mail.textFor(samplePerson)}</p>
  </details>`
}

/** While the email is being written, a test is still to come. */
const whileWriting = ({ blockers, advice }: Checked): Checked => ({
  advice,
  blockers: blockers.filter(({ code }) => code !== 'test-stale'),
})
