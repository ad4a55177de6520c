import type { MailContent } from './mail-template.ts'
import { type TagProblem, parseMergeTags } from './merge-tags.ts'
import { tokensOf } from './tokens.ts'

export type FieldProblem = TagProblem & { readonly field: 'subject' | 'preheader' | 'bodyHtml' | 'bodyText' }

/** What is wrong with the tags of a campaign as it is kept; `at` counts from the begin of the field. */
export const tagProblemsOf = (content: MailContent): FieldProblem[] => [
  ...(['subject', 'preheader', 'bodyText'] as const).flatMap((field) =>
    parseMergeTags(content[field]).problems.map((problem) => ({ ...problem, field })),
  ),
  ...htmlProblems(content.bodyHtml).map((problem) => ({ ...problem, field: 'bodyHtml' as const })),
]

/** Read as they are rendered: in a run of text or in a value, so formatting in the middle of a tag leaves it open. */
const htmlProblems = (html: string): TagProblem[] => {
  if (!html.includes('{{')) return []
  return tokensOf(html).flatMap((token) => {
    if (token.kind === 'text') return problemsIn(token.text, token.at)
    if (token.kind !== 'open') return []
    return token.attributes.flatMap(({ name, value, at }) => (name === 'style' ? [] : problemsIn(value, at)))
  })
}

const problemsIn = (text: string, from: number): TagProblem[] =>
  parseMergeTags(text).problems.map((problem) => ({ ...problem, at: from + problem.at }))
