import { type Html, html } from '../../../platform/html/html.ts'
import type { Notice } from '../../../core/staff/sessions.ts'
import type { Outcome } from '../../../book/day/outcome.ts'
import { type PageAnswer, go, page, part } from '../frame/page.ts'
import { overrideButton, reasonsList } from './reasons.ts'
import { isWarning, questionBox, said, saidPlace, warning } from './press-message.ts'
import { type Undo, leftUndo } from './undo.ts'

/*
 * The outcome of pressing a button in a list. Without JavaScript, back to the same page with a notice; with htmx, the
 * refreshed list with a message next to it. If rules object, staff are asked to confirm, and the confirming button
 * presses again.
 */

export type Press = {
  readonly partOnly: boolean
  /** The page it was pressed on, at that row. */
  readonly where: string
  /** The current list. */
  readonly list: () => Promise<Html>
  /** Such as "Maya, 2 guests". */
  readonly who: string
  /** The label of the button. */
  readonly label: string
  /** The button's form again, around the confirming button. */
  readonly again: (confirm: Html) => Html
}

type Place = Pick<Press, 'partOnly' | 'where' | 'list'>

export const answerPress = <Shown>(
  press: Press,
  outcome: Outcome<Shown>,
  /** What was done, in words, and what takes it back. */
  told: (done: Extract<Outcome<Shown>, { kind: 'done' }>) => {
    readonly words: string
    readonly undo?: Undo | undefined
  },
): Promise<PageAnswer> => {
  switch (outcome.kind) {
    case 'done': {
      const { words, undo } = told(outcome)
      return answerWith(press, `${press.who}: ${words}.`, { undo })
    }
    case 'unchanged':
      return answerUndone(press, outcome.sentence)
    case 'refused':
      return answerUndone(press, `${outcome.sentence} Nothing was done.`)
    case 'needs override':
      return ask(
        press,
        html`<p class="strong">${press.who}: ${press.label.toLowerCase()} anyway?</p>
          ${reasonsList(outcome.reasons)}
          ${press.again(overrideButton(outcome.reasons, `${press.label} anyway`))}`,
      )
    default:
      return outcome satisfies never
  }
}

/** A question of its own before the press is tried; `question` has the form that presses again. */
export const askFirst = (press: Press, title: string, question: Html): Promise<PageAnswer> =>
  ask(press, html`${press.partOnly && html`<p class="strong">${title}</p>`}${question}`, title)

export const answerUndone = (press: Place, sentence: string): Promise<PageAnswer> =>
  answerWith(press, sentence, { tone: 'warn' })

/** The list as it is now, and a sentence. */
export const answerWith = (
  press: Place,
  sentence: string,
  { tone = 'good', undo }: { readonly tone?: 'good' | 'warn'; readonly undo?: Undo | undefined } = {},
): Promise<PageAnswer> =>
  answer(press, said(sentence, { tone, undo }), tone === 'good' ? sentence : warning(sentence), undo)

const answer = async (
  { partOnly, where, list }: Place,
  what: Html,
  notice: string,
  undo?: Undo,
): Promise<PageAnswer> =>
  partOnly
    ? part(html`${await list()}${saidPlace(what)}`, doneOf(notice, undo))
    : go(where, notice, undo && leftUndo(undo))

/** A question, or a press that did nothing, leaves what was done before it. */
export const doneOf = (notice: string, undo: Undo | undefined): Notice | undefined =>
  notice === '' || isWarning(notice) ? undefined : { sentence: notice, undo: undo && leftUndo(undo) }

const ask = async (press: Press, question: Html, title = 'Are you sure?'): Promise<PageAnswer> =>
  press.partOnly
    ? answer(press, questionBox(question), '')
    : page(
        title,
        html`<div class="page-head"><h1>${title}</h1></div>
          <section class="card">${question}<a class="button" href="${press.where}">Never mind</a></section>`,
        409,
      )
