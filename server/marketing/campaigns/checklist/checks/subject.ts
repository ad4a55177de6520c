import type { Check } from '../check.ts'
import type { TagProblem } from '../../content/merge-tags.ts'
import type { MailView } from '../../content/mail-view.ts'

const subjectCharacters = 60
/** Short words such as "BBQ" are written in capitals. */
const capitalsLeast = 8
/** The share of people without a first name up to which a missing fallback is tolerated. */
const withoutNameShare = 0.01

/** What is wrong with the subject line, the preheader, and the merge tags of all parts. */
export const subjectChecks: readonly Check[] = [
  {
    code: 'subject-empty',
    effect: 'block',
    when: 'The subject has no words once its tags are filled in.',
    judge: (_facts, { subject }) =>
      subject === '' ? 'The subject is empty. Say in a few words what the mail is about.' : null,
  },
  {
    code: 'subject-control-chars',
    effect: 'block',
    when: 'The subject contains a line break or another control character.',
    judge: ({ content }) =>
      /[\p{Cc}\u2028\u2029]/u.test(content.subject)
        ? 'The subject holds a line break or another sign that cannot be seen. Write it again on one line.'
        : null,
  },
  {
    code: 'merge-tag-unknown',
    effect: 'block',
    when: 'The subject, the preheader or a body contains an unknown `{{tag}}`.',
    judge: (_facts, view) =>
      about(
        view,
        'merge-tag-unknown',
        (written) =>
          `${written} is no merge tag. There are {{firstName|there}}, {{venueName}}, {{unsubscribeUrl}} and {{preferencesUrl}}.`,
      ),
  },
  {
    code: 'merge-tag-unclosed',
    effect: 'block',
    when: 'A `{{` is not followed by its `}}`, or there is formatting in the middle of the tag.',
    judge: (_facts, view) =>
      about(
        view,
        'merge-tag-unclosed',
        (written) =>
          `The merge tag that begins with "${written}" is not closed by }}, or there is formatting inside. Type it again without.`,
      ),
  },
  {
    code: 'merge-tag-without-fallback',
    effect: 'block',
    when: '`{{firstName}}` has no fallback and more than 1 % of the list have no first name.',
    judge: ({ list }, view) =>
      list === null || list.withoutFirstName <= list.total * withoutNameShare
        ? null
        : about(
            view,
            'merge-tag-without-fallback',
            (written) =>
              `${list.withoutFirstName} of ${list.total} people have no first name, and ${written} does not say what to write for them. Write {{firstName|there}}, for example.`,
          ),
  },
  {
    code: 'preheader-empty',
    effect: 'advise',
    when: 'There is no preheader.',
    judge: ({ content }) =>
      content.preheader.trim() === ''
        ? 'There is no preview line. Email apps show it next to the subject; without it they use the first words of the email.'
        : null,
  },
  {
    code: 'subject-long',
    effect: 'advise',
    when: `The subject is longer than ${subjectCharacters} characters.`,
    judge: (_facts, { subject }) => {
      const length = Array.from(subject).length
      return length > subjectCharacters
        ? `The subject has ${length} characters. Phones show about ${subjectCharacters}; put the important part first.`
        : null
    },
  },
  {
    code: 'subject-capitals',
    effect: 'advise',
    when: 'The subject is all in capital letters.',
    judge: (_facts, { subject }) =>
      (subject.match(/\p{Lu}/gu)?.length ?? 0) >= capitalsLeast && !/\p{Ll}/u.test(subject)
        ? 'The subject is all in capitals. Many people, and many filters, read that as shouting.'
        : null,
  },
]

const about = (
  view: MailView,
  code: TagProblem['code'],
  sentence: (written: string) => string,
): string | null => {
  const found = view.tagProblems.find((one) => one.code === code)
  return found === undefined ? null : sentence(found.written)
}
