import { badRequest } from '../../platform/kernel/refusal.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { printRulesDocument, readRulesDocument } from '../../book/rules/rules-document.ts'
import { replaceRulesByOperator } from '../../book/rules/rules-change.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { wholeRules } from '../../book/rules/whole-document.ts'
import { currencyOfVenue } from '../../core/money/venue-currency.ts'
import { unpayableExperience } from '../../book/reservations/guarantee/payable.ts'
import type { DocumentRules } from '../../book/rules/booking-rules.ts'
import { type Answer, command, needed, text } from './command.ts'
import { readTextFile } from './read-file.ts'

/** Years of special days fit into a tenth of this. */
const documentBytes = 1_048_576

const importRules = command({
  words: 'rules import',
  about:
    "Replaces a venue's booking rules with a document and prints them. A document with mistakes changes nothing.",
  flags: { venue: needed(text('S')), file: needed(text('F')) },
  run: async ({ db, clock }, { venue: slug, file }) => {
    const venue = await venueOfSlug(db, slug)
    const read = readRulesDocument(parseJson(await readTextFile(file, documentBytes), file))
    if (!read.ok) throw badRequest(read.mistakes.join('\n'))
    const unpayable = unpayableExperience(read.rules, await currencyOfVenue(db, venue.id))
    if (unpayable !== undefined) throw badRequest(unpayable)
    const kept = await db.transaction(async (queries) => {
      const work = { db: queries.within(venue.id), venue: venue as Venue, now: clock }
      await replaceRulesByOperator(work, read.rules)
      return wholeRules(work.db, venue.id)
    })
    return answerWith(kept)
  },
})

const show = command({
  words: 'rules show',
  about: 'Prints a venue\'s booking rules as the document that "rules import" takes.',
  flags: { venue: needed(text('S')) },
  run: async ({ db }, { venue: slug }) => {
    const venue = await venueOfSlug(db, slug)
    return answerWith(await wholeRules(db, venue.id))
  },
})

export const rulesCommands = [importRules, show]

const answerWith = (rules: DocumentRules): Answer => {
  const document = printRulesDocument(rules)
  return { json: document, text: JSON.stringify(document, null, 2) }
}

const parseJson = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badRequest(`The file ${file} is not JSON: ${(error as Error).message}.`)
  }
}
