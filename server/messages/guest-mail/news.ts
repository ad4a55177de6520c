import { makePrivateToken } from '../../mail/link-token.ts'
import { confirmationOf, languageOfSubscriber } from '../../marketing/subscribers/sign-up.ts'
import { type Writing, type Written, speakingIn } from './writing.ts'

/** Asks somebody who signed up to confirm it. */
export const newsLetter = async (
  { work, context, venue, settings, mail }: Writing,
  kind: 'newsConfirm' | 'newsReminder',
): Promise<Written> => {
  const found = await confirmationOf(work, mail.record_id)
  if (found.state === 'over' || found.state === 'confirmed')
    return { dropped: 'they no longer wait to confirm' }
  const kept = await languageOfSubscriber(work.db, venue.id, mail.record_id)
  const speaking = speakingIn(kept, settings, venue)
  const { words } = speaking
  const token = makePrivateToken(context.secrets, 'confirm', {
    venue: venue.id,
    record: mail.record_id,
    issue: 0,
  })
  const isReminder = kind === 'newsReminder'
  const text = isReminder ? words.mail.newsReminder(venue.name) : words.mail.news(venue.name)
  return {
    speaking,
    letter: {
      to: found.email,
      subject: isReminder ? words.mail.newsReminderSubject(venue.name) : words.mail.newsSubject(venue.name),
      preheader: text,
      title: isReminder ? words.mail.newsReminderTitle : words.mail.newsTitle,
      paragraphs: [text],
      button: { words: words.mail.newsButton, url: `${context.config.publicUrl}/c/${token}` },
      foot: isReminder ? words.mail.newsReminderFoot : words.mail.newsFoot,
      own: words.mail.newsOwn,
    },
  }
}
