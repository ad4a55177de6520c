import type { Difference } from './differences.ts'

/*
 * The recording as text: one section for each exchange, under a title of its own. Lines of what was sent begin with
 * `>`, of what was answered with `<`, of what a receiver was sent with `*`, so nothing in a body can look like the
 * beginning of another section.
 */

/** What was recorded of each exchange, by its title, in the order of the walk. */
export type Transcript = ReadonlyMap<string, string>

const heading = '=== '

const preamble = `Version 1 as clients see it, exchange by exchange. walk.test.ts says how this is compared and added to;
what is recorded is never changed: where version 1 answers otherwise today, differences.ts says so and why.

`

export const readTranscript = (text: string): Transcript =>
  new Map(
    text
      .split(new RegExp(`^${heading}`, 'm'))
      .slice(1)
      .map((section) => {
        const end = section.indexOf('\n')
        return [section.slice(0, end), section.slice(end + 1).trimEnd()]
      }),
  )

export const writeTranscript = (transcript: Transcript): string =>
  preamble + [...transcript].map(([title, lines]) => `${heading}${title}\n${lines}\n`).join('\n')

/**
 * The first recording with every deliberate difference made to it: what the walk must be today, to the byte. Throws
 * for a difference that names no recorded exchange, that changes nothing, or whose text does not stand there exactly
 * once, so that nothing can be listed that is not so.
 */
export const withDifferences = (first: Transcript, differences: readonly Difference[]): Transcript => {
  const now = new Map(first)
  for (const { exchanges, before, after } of differences) {
    if (before === '' || before === after) throw new Error(`A difference changes nothing: ${before}`)
    for (const title of exchanges) {
      const lines = now.get(title)
      if (lines === undefined) throw new Error(`A difference is about "${title}", which was never recorded.`)
      const parts = lines.split(before)
      if (parts.length !== 2) {
        throw new Error(`"${title}" holds this ${parts.length - 1} times, not once: ${before}`)
      }
      now.set(title, parts.join(after))
    }
  }
  return now
}

/**
 * The recording with what was walked now and is not in it. What was recorded once stays as it was: a changed answer is
 * a difference, to be listed with its reason, and what is walked no longer is put last, to be taken out by hand.
 */
export const withNewExchanges = (first: Transcript, walked: Transcript): Transcript =>
  new Map([
    ...[...walked].map(([title, lines]) => [title, first.get(title) ?? lines] as const),
    ...[...first].filter(([title]) => !walked.has(title)),
  ])
