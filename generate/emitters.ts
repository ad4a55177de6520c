import { type Doing, doings, emitters } from '../server/test/told/table.ts'

/** The part of docs/moves.md that says what emits each event. */
export const emittersSection = (): string =>
  [
    '## What emits each event',
    '',
    'From `server/test/told/table.ts`, which takes what it can from the tables above and from those of',
    '`server/tickets/states.ts` and `server/marketing/subscribers/states.ts`. A test does every row for real. An event is',
    'recorded once for each, in the transaction of the change.',
    '',
    '| Event | Recorded by |',
    '|---|---|',
    ...Object.entries(emitters())
      .filter(([, tellers]) => tellers.length > 0)
      .map(([event, tellers]) => `| \`${event}\` | ${inWords(tellers)} |`),
    '',
    'One change is one event, under all the names that fit it. An endpoint gets it once, under the most specific name it',
    'subscribes to. `guest.created` is recorded only if no guest has the contact details yet, and before the event of the',
    'record they came with. Otherwise `guest.updated` is recorded if something was filled in. It is also recorded when a',
    'change to a booking changes the guest’s counters, at most once a minute for each guest.',
    '',
    'These changes emit no event:',
    '',
    ...listed(
      Object.values<Doing>(doings).filter(({ tells, matchesGuest }) => tells.length === 0 && !matchesGuest),
    ).map((change) => `- ${change}`),
    '',
  ].join('\n')

const inWords = (tellers: readonly Doing[]): string => listed(tellers).join('; ')

/** The moves of one kind of record are grouped. */
const listed = (tellers: readonly Doing[]): string[] => {
  const kinds = new Set(tellers.flatMap(({ of }) => of ?? []))
  const moves = [...kinds].map((kind) => {
    const names = tellers.filter(({ of }) => of === kind).map(({ what }) => `\`${what}\``)
    return `the ${names.length === 1 ? 'move' : 'moves'} ${names.join(', ')} of a ${kind}`
  })
  return [...tellers.filter(({ of }) => !of).map(({ what }) => what), ...moves]
}
