import { readRulesDocument } from '../book/rules/rules-document.ts'
import { replaceWholeRules } from '../book/rules/whole-document.ts'
import type { TestService, TestVenue } from './service.ts'

/** A rules document: dinner from 17:00 to 22:00 every day, plus anything else given. */
export const everyEvening = (more: object = {}) => ({
  periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    name: 'Dinner',
    opens: '17:00',
    closes: '22:00',
  })),
  ...more,
})

/** Gives a venue the rules of a document, open every evening unless another is given. */
export const setRules = async (
  { db, context }: TestService,
  venue: TestVenue,
  document: object = everyEvening(),
): Promise<void> => {
  const read = readRulesDocument(document)
  if (!read.ok) throw new Error(read.mistakes.join(' '))
  await db.transaction((queries) => replaceWholeRules(queries, venue.id, read.rules, context.clock()))
}
