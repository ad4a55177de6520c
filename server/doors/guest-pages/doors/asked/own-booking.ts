import { pressAsked } from '../../../../book/reservations/guarantee/asked/secure-asked.ts'
import type { Work } from '../../../../context.ts'
import type { AskedOfGuest } from '../../../../messages/guest-mail/tables/asked-facts.ts'
import { type Html, html } from '../../../../platform/html/html.ts'
import { type GuestAnswer, type GuestAnswerLater, type Visit, typed } from '../../frame/visit.ts'
import { leadToPayment } from '../pay.ts'

/* What a guest is asked for on their own page, and the press that does it. */

/** The sentence, and the button that agrees to it. `isChanged`: it is another than the one that was pressed. */
export const askedPart = (visit: Visit, asked: AskedOfGuest, isChanged: boolean): Html =>
  html`<form class="note wait stack" method="post" action="${visit.link(visit.path)}">
    ${isChanged && html`<p role="alert">${visit.words.secure.changed}</p>`}
    <h2>${asked.title}</h2>
    <p>${asked.why}</p>
    <p>${asked.sentence}</p>
    ${asked.by !== undefined && html`<p>${asked.by}</p>`}
    <input type="hidden" name="asked" value="${agreedTo(asked)}" />
    <div class="acts"><button class="btn" name="do" value="secure">${asked.button}</button></div>
    ${asked.hint !== undefined && html`<p class="hint">${asked.hint}</p>`}
  </form>`

/** What the form carries of what was shown: another sum or sentence is shown again before it counts. */
const agreedTo = ({ kind, how, cents, sentence }: AskedOfGuest): string =>
  [kind, how, cents, sentence].join(' ')

/** The press: to the processor's page, or agreed to at once. */
export const secureMine = async ({
  work,
  visit,
  row,
  asked,
}: {
  readonly work: Work
  readonly visit: Visit
  readonly row: { readonly id: number; readonly date: string }
  readonly asked: AskedOfGuest | undefined
}): Promise<GuestAnswer | GuestAnswerLater> => {
  const back = (done: string): GuestAnswer => ({ to: visit.link(`${visit.path}?done=${done}`) })
  if (!asked || typed(visit, 'asked') !== agreedTo(asked)) return back('changed')
  const pressed = await pressAsked(work, {
    ...{ reservation: row.id, sentence: asked.sentence, cents: asked.cents, language: visit.language },
    title: titleOf(visit, asked, row.date),
  })
  switch (pressed.kind) {
    case 'pay':
      return { after: (context) => leadToPayment(context, visit, pressed.checkout) }
    case 'agreed':
      return back('secured')
    case 'changed':
    case 'closed':
      return back('changed')
    default:
      return pressed satisfies never
  }
}

/** What the processor's page calls it. */
const titleOf = (
  { words: { secure }, formats, venue }: Visit,
  { kind, how, title }: AskedOfGuest,
  date: string,
): string => {
  // A charge is not a deposit.
  const what = kind === 'fee' ? title : how === 'card' ? secure.card : secure.deposit
  return `${what}: ${venue.name}, ${formats.day(date)}`.slice(0, mostOfTitle)
}

const mostOfTitle = 200
