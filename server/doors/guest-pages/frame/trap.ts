import { randomUUID } from 'node:crypto'
import type { Work } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { keyedHash } from '../../../platform/kernel/secrets.ts'
import { countGuestWrite } from '../../../core/venue/guest-window.ts'
import { type FormValue, formAge, isTimely, isTooOld, readFormValue, writeFormValue } from './form-value.ts'
import { type Mistakes, lineField, ofNoField } from './parts.ts'
import { type Visit, typed } from './visit.ts'
import { namedNetworks } from './who.ts'

/*
 * What keeps programs from filling in forms, and costs people nothing: a field nobody sees, a signed value that says when
 * the form was shown and makes one record, and, for who has just sent several, a plain question. In every case the form comes back with what was
 * typed, as after any mistake.
 */

/** Goes into every form that writes; with the mistakes of one that came back. */
export const trapPart = (visit: Visit, mistakes: Mistakes = {}): Html => {
  const value = valueFor(visit)
  return html`<div hidden>
      <label for="f-website">${visit.words.page.leaveEmpty}</label>
      <input id="f-website" name="website" type="text" tabindex="-1" autocomplete="off" value="" />
    </div>
    <input type="hidden" name="token" value="${writeFormValue(visit.ring, visit.venue.id, value)}" />
    ${mistakes['sum'] !== undefined && questionField(visit, value, mistakes['sum'])}`
}

const sentValue = (visit: Visit): FormValue | undefined =>
  readFormValue(visit.ring, visit.venue.id, typed(visit, 'token'))

/** What makes a form work once, however often it is sent; undefined for one that no page showed, which is asked again. */
export const formToken = (visit: Visit): string | undefined => sentValue(visit)?.token

/** A program filled it in: the form comes back, as after any mistake, which is that of no field. */
export const trapMistake = (visit: Visit): Mistakes => {
  const value = sentValue(visit)
  const isTrapped = typed(visit, 'website') !== '' || !value || !isTimely(value.shown, visit.now)
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
  const isMany = await countGuestWrite(db, venue.id, namedNetworks(visit), visit.now)
  return !isMany || isAnswered(visit) ? {} : question(visit)
}

/** Whether the form had the question, which it keeps. */
const isAsking = (visit: Visit): boolean => visit.form.has('sum') && !isAnswered(visit)

const question = ({ words }: Visit): Mistakes => ({ sum: words.trouble.enterSum })

/**
 * What the page carries: what the form that came back had, so that the next press is not too fast again and still makes
 * one record. A form that is too old is given a new value of the least age.
 */
const valueFor = (visit: Visit): FormValue => {
  const before = sentValue(visit)
  if (!before) return { shown: visit.now, token: randomUUID() }
  return isTooOld(before.shown, visit.now)
    ? { shown: visit.now.subtract({ seconds: formAge.leastSeconds }), token: randomUUID() }
    : before
}

/** Two small numbers that go with a form's token, so that nothing need be kept. Without a key of the ring nobody knows them. */
const numbersOf = (
  [{ link }]: Visit['ring'],
  { token }: Pick<FormValue, 'token'>,
): readonly [number, number] => {
  const [one = 0, other = 0] = keyedHash(token, keyedHash('guest question', link))
  return [2 + (one % 8), 2 + (other % 8)]
}

/** What answers the question of a form. */
export const answerTo = (ring: Visit['ring'], value: Pick<FormValue, 'token'>): string => {
  const [one, other] = numbersOf(ring, value)
  return String(one + other)
}

/** Digits of any width: a Japanese keyboard writes wide ones. */
const isAnswered = (visit: Visit): boolean => {
  const value = sentValue(visit)
  return value !== undefined && typed(visit, 'sum').normalize('NFKC') === answerTo(visit.ring, value)
}

const questionField = (visit: Visit, value: FormValue, mistake: string): Html => {
  const { words, formats } = visit
  const [one, other] = numbersOf(visit.ring, value)
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
