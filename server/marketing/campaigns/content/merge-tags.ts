/*
 * Merge tags: the parts of a campaign that differ from person to person (docs/campaigns.md#merge-tags). They have no
 * logic and no template engine behind them: a text is cut into pieces once, and a filled-in value is never read
 * again, so a guest whose name is `{{venueName}}` is greeted by exactly that.
 */

/** Every tag there is. `personal` may be missing for some people and wants a fallback: `{{firstName|there}}`. */
export const mergeTags = {
  firstName: { personal: true, says: "the person's first name" },
  venueName: { personal: false, says: "the venue's name" },
  unsubscribeUrl: { personal: false, says: 'the address of the page to unsubscribe' },
  preferencesUrl: { personal: false, says: 'the address of the page with mail preferences' },
} as const satisfies Record<string, { personal: boolean; says: string }>
export type TagName = keyof typeof mergeTags

/** A tag as it was written; `at` is the position of its `{{`. `fallback` is null when none was given. */
export type MergeTag = { readonly tag: TagName; readonly fallback: string | null; readonly at: number }
export type Piece = string | MergeTag

export const tagProblems = ['merge-tag-unknown', 'merge-tag-unclosed', 'merge-tag-without-fallback'] as const
export type TagProblem = {
  readonly code: (typeof tagProblems)[number]
  /** Where it begins: an index into the text that was parsed. */
  readonly at: number
  /** The tag as it was written, cut to a length for a sentence. */
  readonly written: string
}

export type Parsed = { readonly pieces: readonly Piece[]; readonly problems: readonly TagProblem[] }

const shownCharacters = 40

/**
 * Cuts text at its tags. What is unknown or never closed stays text, word for word, and is reported; so is a
 * personal tag without fallback, which is filled with nothing for people without the value.
 */
export const parseMergeTags = (text: string): Parsed => {
  const pieces: Piece[] = []
  const problems: TagProblem[] = []
  const report = (code: TagProblem['code'], at: number, end: number) =>
    problems.push({ code, at, written: text.slice(at, Math.min(end, at + shownCharacters)).trimEnd() })
  let from = 0
  let open = text.indexOf('{{')
  let close = text.indexOf('}}')
  while (open !== -1) {
    // Looked for only when it was passed: a text of nothing but `{{` is read once.
    if (close !== -1 && close < open + 2) close = text.indexOf('}}', open + 2)
    const next = text.indexOf('{{', open + 2)
    if (close === -1 || (next !== -1 && next < close)) {
      report('merge-tag-unclosed', open, next === -1 ? text.length : next)
    } else {
      const tag = tagOf(text.slice(open + 2, close), open)
      if (tag === null) report('merge-tag-unknown', open, close + 2)
      else {
        if (mergeTags[tag.tag].personal && tag.fallback === null)
          report('merge-tag-without-fallback', open, close + 2)
        pieces.push(text.slice(from, open), tag)
        from = close + 2
      }
    }
    open = next
  }
  return { pieces: [...pieces, text.slice(from)].filter((piece) => piece !== ''), problems }
}

/** Spaces around name and fallback do not matter; an empty fallback is no fallback. */
const tagOf = (inside: string, at: number): MergeTag | null => {
  const bar = inside.indexOf('|')
  const name = (bar === -1 ? inside : inside.slice(0, bar)).trim()
  const fallback =
    bar === -1
      ? ''
      : inside
          .slice(bar + 1)
          .replaceAll(/\s+/g, ' ')
          .trim()
  return Object.hasOwn(mergeTags, name)
    ? { tag: name as TagName, fallback: fallback === '' ? null : fallback, at }
    : null
}
