import type { GuestFormats } from '../guest-words/formats.ts'
import { readDate } from '../../platform/kernel/time/written-time.ts'
import { languageOfLead } from '../../crm/leads/inquire.ts'
import { leadById } from '../../crm/leads/reads.ts'
import { type Writing, type Written, speakingIn } from './writing.ts'

/** When the event is, as the inquiry says it; a day that was picked reads as one. */
export const eventDateInWords = (said: string, formats: Pick<GuestFormats, 'fullDate'>): string =>
  said.replace(/^\d{4}-\d{2}-\d{2}(?=$|, )/, (day) => (readDate(day) ? formats.fullDate(day) : day))

/** Confirms that an inquiry arrived, and quotes it. */
export const inquiryLetter = async ({ work, venue, settings, mail }: Writing): Promise<Written> => {
  const lead = await leadById(work.db, venue.id, mail.record_id)
  if (!lead?.contact_email) return { dropped: 'the inquiry no longer has an address' }
  const speaking = speakingIn(await languageOfLead(work.db, venue.id, lead.id), settings, venue)
  const { words } = speaking
  const said = [
    [words.inquire.occasion, lead.occasion],
    [words.inquire.size, lead.guest_count],
    [words.inquire.date, lead.event_date && eventDateInWords(lead.event_date, speaking.formats)],
    [words.inquire.budget, lead.budget_per_person],
    [words.inquire.style, lead.dining_style],
    [words.inquire.diet, lead.dietary_needs],
    [words.inquire.more, lead.notes],
  ] as const
  return {
    speaking,
    letter: {
      to: lead.contact_email,
      subject: words.mail.inquirySubject(venue.name),
      preheader: words.mail.inquiry,
      state: { tone: 'good', words: words.inquire.sentState },
      title: words.mail.inquiryTitle(lead.contact_name ?? ''),
      paragraphs: [words.mail.inquiry],
      facts: said.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])),
    },
  }
}
