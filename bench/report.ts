/** A row of the table. `floor` is what the service is compared with; without one the figure stands alone. */
export type Figure = {
  readonly name: string
  readonly floor?: number
  readonly service: number
  /** Bounds of the ratio, or of the figure itself where there is no floor or the goal is `absolute`. */
  readonly absolute?: true
  readonly goal?: { readonly least?: number; readonly most?: number }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Figures under a heading, and a word on their floors. */
export type Group = { readonly title: string; readonly figures: readonly Figure[]; readonly about: string }

/** The figures as a Markdown page. */
export const tables = (
  groups: readonly Group[],
  how: { machine: string; rounds: number; seconds: number; connections: number },
): string => `# Benchmark

Made by \`npm run bench -- --write\`: ${how.machine}. Absolute figures belong to this machine; what counts is the ratio to the floor measured beside it.
${groups
  .filter(({ figures }) => figures.length > 0)
  .map(({ title, figures, about }) => `\n## ${title}\n\n${table(figures)}\n\n${about}\n`)
  .join('')}`

const table = (figures: readonly Figure[]): string => {
  const rows = figures.map(({ name, floor, service, goal, absolute = false }) => {
    const ratio = floor === undefined ? undefined : service / floor
    const measured = absolute ? service : (ratio ?? service)
    const met =
      goal === undefined ||
      ((goal.least === undefined || measured >= goal.least) &&
        (goal.most === undefined || measured <= goal.most))
    const verdict = goal === undefined ? '' : met ? 'met' : '**missed**'
    return `| ${name} | ${floor === undefined ? '' : short(floor)} | ${short(service)} | ${ratio?.toFixed(2) ?? ''} | ${boundOf(goal)} | ${verdict} |`
  })
  return `| Case | Floor | Service | Ratio | Goal | |
|---|---|---|---|---|---|
${rows.join('\n')}`
}

const boundOf = (goal: Figure['goal']): string => {
  if (goal === undefined) return ''
  if (goal.least === goal.most) return `${goal.least}`
  return goal.least === undefined ? `≤ ${goal.most}` : `≥ ${goal.least}`
}

const short = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(2))

/** What the floors of the API's figures are. */
export const aboutTheApi = ({
  rounds,
  seconds,
  connections,
}: {
  rounds: number
  seconds: number
  connections: number
}): string =>
  `Medians of ${rounds} rounds of ${seconds} s for each side, in turns, ${connections} connections. Service, floors and load generator are processes of their own that share the cores with PostgreSQL; the service is started as \`npm start\` does, with the rate limit out of the way, and each venue has four keys. The floors:

- for a read, a bare Fastify handler with the same pool and codecs, the same single statement and the same JSON, without key, rate, validation, request id and log;
- for \`/me\`, a bare handler doing the key statement, once for each request. The service shares one statement among the requests that arrive together, so it can be above its floor;
- for a write, the same SQL alone, from one script: the claim of the Idempotency-Key and the transaction, noted from a request that the service itself served, with the statements that it sends together sent together. The statement of the key check is left out of it. Eight venues take the bookings, so that not one venue's locks are measured.`

export const aboutTheOffice =
  'The same service, on the demo venue, beside the million records of the cases above. Pages are asked for one after the other on one connection, from the request to the last byte, compressed. A first visit is a page with its styles and scripts for somebody who keeps none yet; the heaviest of all that places and tabs lead to is shown. The second screen asks as often as its page says, and the presses fall on all phases of that interval. Lists of 10,000 are pages of the office and the reads behind them, each the quickest of five looks, in the tests that fill those tables.'

export const aboutDeliveries =
  'The engine, the receiver and the embedded PostgreSQL are processes of their own that share the cores. The floor is a bare loop that sends as many signed requests over the same client to the same receiver; a figure beside a floor is deliveries for each second of processor time of the sending process. What a crash leaves is proved by `server/webhooks/engine/faults.test.ts`, not measured.'

export const aboutCampaigns =
  'The engine, a sink that counts and the embedded PostgreSQL, durable, are processes of their own that share the cores. What stands beside the engine is nodemailer’s own pool of 10 connections on the same sink, which keeps no books. The floor of building a list is a bare `insert .. select` of the same people, without a look at anybody. What a crash leaves is reckoned by `node bench/mail-faults.ts`.'
