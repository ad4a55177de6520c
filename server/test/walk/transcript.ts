import type { Difference } from './differences.ts'

/*
 * The recording as text: one section for each exchange, under a title of its own. Lines of what was sent begin with
 * `>`, of what was answered with `<`, of what a receiver was sent with `*`, so nothing in a body can look like the
 * beginning of another section.
 */

/** What was recorded of each exchange, by its title, in the order of the walk. */
export type Transcript = ReadonlyMap<string, string>

const heading = '=== '

const preambleOfRecording = `Version 1 as clients see it, exchange by exchange. walk.test.ts says how this is compared and added to;
what is recorded is never changed: where version 1 answers otherwise today, changed.txt says how and differences.ts why.

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

export const writeTranscript = (transcript: Transcript, preamble = preambleOfRecording): string =>
  preamble + [...transcript].map(([title, lines]) => `${heading}${title}\n${lines}\n`).join('\n')

export const preambleOfChanges = `Exchanges of the recording that version 1 answers otherwise today; differences.ts says why.

`

/**
 * The first recording with what is listed as changed laid over it: what the walk must be today, to the byte. Throws
 * where the list and what is kept as changed do not name the same exchanges, or one of them is as it was recorded, so
 * that nothing can be listed that is not so.
 */
export const withDifferences = (
  first: Transcript,
  changed: Transcript,
  differences: readonly Difference[],
): Transcript => {
  const listed = listedIn(differences)
  const gains = gainsOf(differences)
  const gained = [...changed.keys()].filter((title) =>
    hasOnlyGained(first.get(title), changed.get(title), gains),
  )
  const notListed = [...changed.keys()].filter((title) => !listed.includes(title) && !gained.includes(title))
  if (notListed.length > 0) throw new Error(`No difference is listed for ${notListed.join('; ')}.`)
  if (new Set([...gained, ...listed]).size < gained.length + listed.length)
    throw new Error('An exchange is listed twice.')
  const now = new Map(first)
  for (const title of [...gained, ...listed]) {
    const lines = changed.get(title)
    if (!first.has(title)) throw new Error(`A difference is about "${title}", which was never recorded.`)
    if (lines === undefined || lines === first.get(title))
      throw new Error(`"${title}" is as it was recorded.`)
    now.set(title, lines)
  }
  return now
}

const listedIn = (differences: readonly Difference[]): string[] =>
  differences.flatMap((one) => ('exchanges' in one ? one.exchanges : []))

/** What is taken out of an exchange to see whether it is as before. In the second form of a field its body is recorded as text. */
const gainsOf = (differences: readonly Difference[]): string[] =>
  differences.flatMap((one) =>
    'gains' in one
      ? [`,"${one.gains}":${gainedValue}`, `,\\\\"${one.gains}\\\\":${gainedValue}`]
      : 'gainsHeader' in one
        ? [`, ${one.gainsHeader}(?=,|$)`]
        : 'gainsBehind' in one
          ? [one.gainsBehind.source]
          : [],
  )

/** What a field that was gained holds. */
const gainedValue = String.raw`(?:\d+|true|false|null|\[[^\]]*\]|\\*"[A-Z]{3}\\*")`

/** Whether an exchange is as it was recorded but for what was gained since, at any depth. */
const hasOnlyGained = (
  before: string | undefined,
  now: string | undefined,
  gains: readonly string[],
): boolean => {
  if (before === undefined || now === undefined || now === before) return false
  // What an exchange had when it was recorded, it did not gain.
  const gained = gains.filter((gain) => !new RegExp(gain, 'm').test(before))
  return gained.length > 0 && now.replaceAll(new RegExp(gained.join('|'), 'gm'), '') === before
}

/** What the exchanges that are listed as different answer now, or differ by what was gained, in the order of the walk. */
export const changedOf = (
  first: Transcript,
  walked: Transcript,
  differences: readonly Difference[],
): Transcript => {
  const listed = new Set(listedIn(differences))
  const gains = gainsOf(differences)
  return new Map(
    [...walked].filter(
      ([title, lines]) => listed.has(title) || hasOnlyGained(first.get(title), lines, gains),
    ),
  )
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
