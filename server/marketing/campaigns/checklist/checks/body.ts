import type { Check } from '../check.ts'
import { addressLines } from '../../content/guided-layout.ts'
import type { MailVenue } from '../../content/mail-template.ts'

const kibibyte = 1_024
/** Gmail clips from here on, footer first; from 80 on there is little room left. */
const clippedBytes = 102 * kibibyte
const largeBytes = 80 * kibibyte
/** With fewer letters than this next to images, the images carry the message. */
const lettersLeast = 20

/** What is wrong with the body, and with what the law requires in it. */
export const bodyChecks: readonly Check[] = [
  {
    code: 'body-empty',
    effect: 'block',
    when: 'The body shows no words, and no picture with alternative text.',
    judge: (_facts, { words, pictures }) =>
      words === '' && !pictures.some((one) => one.address !== undefined && (one.alternative ?? '') !== '')
        ? 'The mail is empty: it shows no words, and no picture with an alternative text.'
        : null,
  },
  {
    code: 'content-script',
    effect: 'block',
    when: 'Something that runs or takes input is left in the rendered mail (script, form, frame, handler).',
    judge: (_facts, { active }) =>
      active === undefined
        ? null
        : `The mail holds "${active}", which no mail program runs and filters refuse. Take it out.`,
  },
  {
    code: 'postal-address-missing',
    effect: 'block',
    when: "The venue's settings have no postal address. It is required by law in every marketing mail; the guided footer shows it.",
    judge: ({ venue }) =>
      (venue.postalAddress ?? '').trim() === ''
        ? 'The venue has no postal address in its settings. The law wants one in every marketing mail.'
        : null,
  },
  {
    code: 'placeholder-text',
    effect: 'block',
    when: 'Subject or body have text meant to be replaced: lorem ipsum, example.com, an id of zeros only.',
    judge: (_facts, { subject, words, bodyLinks, pictures }) => {
      const all = [
        subject,
        words,
        ...bodyLinks.map(({ address }) => address),
        ...pictures.map(({ address = '' }) => address),
      ]
      const found = all.map((text) => placeholder.exec(text)?.[0]).find((one) => one !== undefined)
      return found === undefined
        ? null
        : `The mail still has a placeholder: "${found}". Put in what belongs there.`
    },
  },
  {
    code: 'postal-address-not-shown',
    effect: 'advise',
    when: "A body in the `html` format does not show the first line of the venue's postal address.",
    judge: ({ content, venue }, { words }) => {
      const first = firstLine(venue)
      return content.bodyFormat === 'html' && first !== '' && !bare(words).includes(bare(first))
        ? `The mail does not show the venue's postal address ("${first}…"). A document of your own must show it, for nothing is put around it.`
        : null
    },
  },
  {
    code: 'no-plain-text',
    effect: 'advise',
    when: 'No plain text was given.',
    judge: ({ content }) =>
      content.bodyText.trim() === ''
        ? 'There is no custom plain text. One is generated from the email; check it in the preview.'
        : null,
  },
  {
    code: 'image-without-alt',
    effect: 'advise',
    when: 'A picture has no alternative text.',
    judge: (_facts, { pictures }) => {
      const count = pictures.filter(({ alternative = '' }) => alternative === '').length
      return count === 0
        ? null
        : `${count === 1 ? 'One image has' : `${count} images have`} no alternative text. It is read aloud, and shown when images are off.`
    },
  },
  {
    code: 'image-only',
    effect: 'advise',
    when: `The mail has pictures and fewer than ${lettersLeast} letters.`,
    judge: (_facts, { pictures, words }) =>
      pictures.length > 0 && (words.match(/\p{L}/gu)?.length ?? 0) < lettersLeast
        ? 'The email is mostly images. With images off nothing is left; say the main thing in text, too.'
        : null,
  },
  {
    code: 'html-large',
    effect: 'advise',
    when: 'The rendered HTML is over 80 KB and at most 102 KB.',
    judge: (_facts, { html }) => {
      const bytes = Buffer.byteLength(html)
      return bytes > largeBytes && bytes <= clippedBytes
        ? `The mail has ${inKilobytes(bytes)} KB of HTML. Gmail clips emails above 102 KB.`
        : null
    },
  },
  {
    code: 'html-clipped',
    effect: 'advise',
    when: 'The rendered HTML is over 102 KB.',
    judge: (_facts, { html }) => {
      const bytes = Buffer.byteLength(html)
      return bytes > clippedBytes
        ? `The mail has ${inKilobytes(bytes)} KB of HTML. Gmail clips emails above 102 KB, and the end with the unsubscribe link goes first.`
        : null
    },
  },
]

const placeholder =
  /\blorem ipsum\b|(?<![\w-])example\.(?:com|org|net)\b|\b0{8}-0{4}-0{4}-0{4}-0{12}\b|[?&/=](?:id=)?0{6,}(?![\w-])/i

const inKilobytes = (bytes: number): number => Math.ceil(bytes / kibibyte)

const firstLine = (venue: MailVenue): string =>
  addressLines({ ...venue, phone: null })[0]
    ?.split(',')[0]
    ?.trim() ?? ''

/** Letters and digits alone: formatting does not matter. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
