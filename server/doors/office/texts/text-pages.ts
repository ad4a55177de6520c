import { type Html, html } from '../../../platform/html/html.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { reachOf } from '../../../book/texts/reach-party.ts'
import { doubleLetters, measured, plainLetters, segmentCharacters } from '../../../book/texts/rules.ts'
import { type SaidByText, type TextedRecord, saidByText } from '../../../book/texts/texts-store.ts'
import {
  type Around,
  type Texted,
  quietWords,
  textedOf,
  typeText,
  unreachableWords,
} from '../../../book/waitlist/messages/type-text.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import { ownPath } from '../frame/own-path.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { type FormSeen, mistakePart, tokenField, typedIn } from '../parts/forms/fields.ts'
import { once } from '../parts/once.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import { aroundText } from './around-text.ts'
import { textPath } from './text-link.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** Where staff text a party in line or a booking, and see what was texted both ways. */
const pagesOf = (kind: TextedRecord['kind']): readonly VenuePage[] => {
  const path = kind === 'reservation' ? '/office/bookings/:id/text' : '/office/waitlist/:id/text'
  return [
    {
      method: 'GET',
      path,
      role: 'host',
      answer: async (work, { params, query }) =>
        textPage(work, await aboutOf(work, kind, params.id), {
          typed: { back: query.get('back') ?? '' },
        }),
    },
    {
      method: 'POST',
      path,
      role: 'host',
      answer: async (work, { params, form }) => {
        const { about, texted } = await aboutOf(work, kind, params.id)
        const back = backOf(about, form.text('back'))
        const who = `${texted.guest_name ?? 'A party'}, ${guestsInWords(texted.party_size)}`
        await once(work, 'text', form, async () => {
          const around = await aroundText(work, about, texted)
          await typeText(work, actorOf(work.me), about, { ...texted, words: form.text('words'), around })
          return about.id
        })
        return go(back, `${who}: text sent. Delivery status appears in their row.`)
      },
      again: async (work, { params, form }, { message }) =>
        textPage(work, await aboutOf(work, kind, params.id), { typed: typedIn(form), mistake: message }),
    },
  ]
}

export const textPages: readonly VenuePage[] = [...pagesOf('waitlist_entry'), ...pagesOf('reservation')]

type About = { readonly about: TextedRecord; readonly texted: Texted }

const aboutOf = async (
  work: OfficeWork,
  kind: TextedRecord['kind'],
  text: string | undefined,
): Promise<About> => {
  const id = idIn(text)
  const texted = id === undefined ? undefined : await textedOf(work, { kind, id })
  if (id === undefined || !texted)
    throw notFound(kind === 'reservation' ? 'booking' : 'party on the waitlist')
  return { about: { kind, id }, texted }
}

/** Back at the row it was pressed in. */
const backOf = ({ kind, id }: TextedRecord, sent: string): string => {
  const back = ownPath(sent)
  if (kind === 'reservation') return back === undefined ? `/office/bookings/${id}` : `${back}#b${id}`
  return `${back ?? '/office/waitlist'}#w${id}`
}

const textPage = async (work: OfficeWork, { about, texted }: About, seen: FormSeen): Promise<PageAnswer> => {
  const { phone, guest_name } = texted
  const cannot = unreachableWords(await reachOf(work, phone), phone) ?? quietWords(work)
  const said = await saidByText(work.db, work.venue.id, about)
  const title = `Text ${guest_name ?? 'this party'}`
  return page(
    title,
    html`<div class="page-head"><h1>${title}</h1></div>
      <section class="card sheet" data-fresh>
        ${said.length > 0 && html`<ul class="rows small">${said.map((one) => saidLine(one, work.venue.timezone))}</ul>`}
        ${
          cannot === undefined
            ? textForm(about, seen, phone, await aroundText(work, about, texted))
            : html`${mistakePart(seen.mistake === cannot ? {} : seen)}
                <p class="mistake">${cannot}</p>
                ${(seen.typed['words'] ?? '') !== '' && html`<p class="lines">${seen.typed['words']}</p>`}`
        }
      </section>`,
  )
}

const textForm = (
  about: TextedRecord,
  seen: FormSeen,
  phone: string | null,
  { before, after }: Around,
): Html => {
  const around = `${before}${after}`
  const room = (letter: string): number => {
    const { most, used } = measured(around + letter)
    return most - used + letter.length
  }
  return html`<form class="form" method="post" action="${textPath(about)}">
    ${tokenField()}<input type="hidden" name="back" value="${seen.typed['back']}" />
    ${mistakePart(seen)}
    <label class="field"
      ><span>Text to ${phoneInWords(phone)}</span
      ><textarea
        name="words"
        rows="3"
        maxlength="${segmentCharacters * 2}"
        required
        autofocus
        data-around="${around}"
        data-plain="${plainLetters}"
        data-double="${doubleLetters}"
      >
${seen.typed['words'] ?? ''}</textarea
      ><small class="room" aria-live="polite"
        >${room('')} letters fit; with an emoji or a letter such as “á”, ${Math.max(0, room('á'))}.</small
      ></label
    >
    <p class="small soft">
      It starts with “${before.trim()}”${after !== '' && html` and ends with “${after.trim()}”`}. A text goes out once, as one segment, and is charged like any other.
    </p>
    <div class="inline"><button class="primary" id="send">Send the text</button></div>
  </form>`
}

/** What the service says of itself. */
const ownWords: Readonly<Record<string, string>> = {
  linePaged: 'Their table is ready.',
  lineBack: 'They are back in line.',
}

const saidLine = ({ kind, state, answer, body, at }: SaidByText, zone: string): Html => {
  const words = body ?? ownWords[kind ?? ''] ?? 'A text that was erased.'
  return html`<li>
    <div class="grow">
      <p class="breaks">${kind === null ? html`“${words}”` : words}</p>
      <p class="soft">${kind === null ? 'They answered' : (stateNames[state ?? ''] ?? 'On its way')}, ${momentInWords(at, zone)}${answer !== null && `: ${answer}`}</p>
    </div>
  </li>`
}

const stateNames: Readonly<Record<string, string>> = {
  sent: 'Sent',
  delivered: 'Arrived',
  failed: 'Not sent',
  unknown: 'May not have arrived',
}
