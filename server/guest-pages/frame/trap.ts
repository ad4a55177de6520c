import { createHash } from 'node:crypto'
import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../context.ts'
import { type Html, html } from '../../html/html.ts'
import { countGuestWrite } from '../../venue/guest-window.ts'
import { formAge, isTimely, isTooOld, readIssue, writeIssue } from './issue-moment.ts'
import { type Mistakes, lineField, ofNoField } from './parts.ts'
import { type Visit, typed } from './visit.ts'
import { networkHash } from './who.ts'

/*
 * What keeps programs from filling in forms, and costs people nothing: a field nobody sees, the moment at which the form
 * was shown, and, for who has just sent several, a plain question. Whatever it finds, the form comes back with what was
 * typed, as after any mistake.
 */

/** Stands in every form that writes; with the mistakes of one that came back. */
export const trapPart = (visit: Visit, mistakes: Mistakes = {}): Html => {
  const issue = issueFor(visit)
  return html`<div hidden>
      <label for="f-website">${visit.words.page.leaveEmpty}</label>
      <input id="f-website" name="website" type="text" tabindex="-1" autocomplete="off" value="" />
    </div>
    <input type="hidden" name="at" value="${issue}" />
    ${mistakes['sum'] !== undefined && questionField(visit, issue, mistakes['sum'])}`
}

/** A program filled it in: the form comes back, as after any mistake, which is that of no field. */
export const trapMistake = (visit: Visit): Mistakes => {
  const shown = readIssue(visit.ring, typed(visit, 'at'))
  const isTrapped = typed(visit, 'website') !== '' || !shown || !isTimely(shown, visit.now)
  return isTrapped ? { [ofNoField]: visit.words.trouble.again } : {}
}

/**
 * The mistakes of a form, or, where it has none and is about to write, the question after the third that a network sent
 * within ten minutes. Called in the form's transaction.
 */
export const orAskedOften = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  visit: Visit,
  mistakes: Mistakes,
): Promise<Mistakes> => {
  if (Object.keys(mistakes).length > 0)
    return isAsking(visit) ? { ...mistakes, ...question(visit) } : mistakes
  const written = await countGuestWrite(db, venue.id, networkHash(visit.from))
  return written <= limits.guestFormsUnasked || isAnswered(visit) ? {} : question(visit)
}

/** Whether the form had the question, which it keeps. */
const isAsking = (visit: Visit): boolean => visit.form.has('sum') && !isAnswered(visit)

const question = ({ words }: Visit): Mistakes => ({ sum: words.trouble.enterSum })

/**
 * The moment that the page carries: that of the form that came back, so that the next press is not too fast again. One
 * that is too old is given a new one of the least age.
 */
const issueFor = (visit: Visit): string => {
  const before = typed(visit, 'at')
  const shown = readIssue(visit.ring, before)
  if (!shown) return writeIssue(visit.ring, visit.now)
  return isTooOld(shown, visit.now)
    ? writeIssue(visit.ring, visit.now.subtract({ seconds: formAge.leastSeconds }))
    : before
}

/** Two small numbers that go with a form's moment, so that nothing need be kept. */
const numbersOf = (issue: string): readonly [number, number] => {
  const [one = 0, other = 0] = createHash('sha256').update(`sum ${issue}`).digest()
  return [2 + (one % 8), 2 + (other % 8)]
}

/** What answers the question of a form that was shown then. */
export const answerTo = (issue: string): string => {
  const [one, other] = numbersOf(issue)
  return String(one + other)
}

/** Digits of any width: a Japanese keyboard writes wide ones. */
const isAnswered = (visit: Visit): boolean =>
  typed(visit, 'sum').normalize('NFKC') === answerTo(typed(visit, 'at'))

const questionField = (visit: Visit, issue: string, mistake: string): Html => {
  const { words, formats } = visit
  const [one, other] = numbersOf(issue)
  return lineField({
    name: 'sum',
    label: words.trouble.sum(formats.number(one), formats.number(other)),
    hint: words.trouble.sumHint,
    value: '',
    inputmode: 'numeric',
    required: true,
    most: 10,
    mistake,
  })
}
