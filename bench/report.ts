/** A row of the table. `floor` is what the service is compared with; without one the figure stands alone. */
export type Figure = {
  readonly name: string
  readonly floor?: number
  /** The other checkout's service, where one takes part. */
  readonly before?: number
  readonly service: number
  /** What the goal bounds: the ratio to the floor, which is meant where there is one, to `before`, or the figure itself. */
  readonly goalOf?: 'floor' | 'before' | 'figure'
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
  .filter(({ figures, about }) => figures.length > 0 || about === aboutOthers)
  .map(({ title, figures, about }) =>
    [`\n## ${title}`, ...(figures.length > 0 ? [table(figures)] : []), `${about}\n`].join('\n\n'),
  )
  .join('')}`

const table = (figures: readonly Figure[]): string => {
  const isBeside = figures.some(({ before }) => before !== undefined)
  const rows = figures.map(({ name, floor, before, service, goal, goalOf = floor ? 'floor' : 'figure' }) => {
    const ratio = floor === undefined ? undefined : service / floor
    const toBefore = before === undefined ? undefined : service / before
    const measured = { floor: ratio, before: toBefore, figure: service }[goalOf] ?? service
    const met =
      goal === undefined ||
      ((goal.least === undefined || measured >= goal.least) &&
        (goal.most === undefined || measured <= goal.most))
    const verdict = goal === undefined ? '' : met ? 'met' : '**missed**'
    const beside = isBeside ? ` ${shortOrNone(before)} | ${toBefore?.toFixed(2) ?? ''} |` : ''
    return `| ${name} | ${shortOrNone(floor)} | ${short(service)} | ${ratio?.toFixed(2) ?? ''} |${beside} ${boundOf(goal)} | ${verdict} |`
  })
  return `| Case | Floor | Service | Ratio |${isBeside ? ' Before | To before |' : ''} Goal | |
|---|---|---|---|${isBeside ? '---|---|' : ''}---|---|
${rows.join('\n')}`
}

const boundOf = (goal: Figure['goal']): string => {
  if (goal === undefined) return ''
  if (goal.least === goal.most) return `${goal.least}`
  return goal.least === undefined ? `≤ ${goal.most}` : `≥ ${goal.least}`
}

const shortOrNone = (value: number | undefined): string => (value === undefined ? '' : short(value))

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
- for bookings of one venue, a script with a transaction that takes the lock of the day and of the guest book, inserts one row and commits: the locks are held through the flush to disk, which no code passes;
- for those of eight, the same SQL alone, from one script: the claim of the Idempotency-Key and the transaction, noted from a request that the service itself served, with the statements that it sends together sent together. The statement of the key check is left out of it. Eight venues, so that not one venue's locks are measured. Processor time is that of the service, or of it and PostgreSQL, for each request.`

export const aboutTheOffice =
  'The same service, on the demo venue, beside the million records of the cases above. Pages are asked for one after the other on one connection, from the request to the last byte, compressed. A first visit is a page with its styles and scripts for somebody who keeps none yet; the heaviest of all that places and tabs lead to is shown. The second screen asks as often as its page says, and the presses fall on all phases of that interval. Lists of 10,000 are pages of the office and the reads behind them, each the quickest of five looks, in the tests that fill those tables.'

export const aboutDeliveries =
  'The engine, the receiver and the embedded PostgreSQL are processes of their own that share the cores. The floor is a bare loop that sends as many signed requests over the same client to the same receiver; a figure beside a floor is deliveries for each second of processor time of the sending process. What a crash leaves is proved by `server/webhooks/engine/faults.test.ts`, not measured.'

export const aboutCampaigns =
  'The engine, a sink that counts and the embedded PostgreSQL, durable, are processes of their own that share the cores. What stands beside the engine is nodemailer’s own pool of 10 connections on the same sink, which keeps no books. The floor of building a list is a bare `insert .. select` of the same people, without a look at anybody. What a crash leaves is reckoned by `node bench/mail-faults.ts`.'

/** Measured by hand, not by `npm run bench`: the others are not among what it installs. */
export const aboutOthers = `What else a user could take, measured once on the same machine with the same PostgreSQL, the same load generator and data, sides in turns as above (before the changes of \`CHANGELOG.md\` that speed the service up). Ratios hold to about a tenth.

| Work | Ours against | Ratio |
|---|---|---|
| a list of 25 out of 12,000 with key, 32 connections: requests | Directus 11 | 8.4 |
| | Parse Server 9 | 3.0 |
| the same, processor time for a request | Directus 11 | 1/7.0 |
| | Parse Server 9 | 1/2.9 |
| create a guest (ours matches, tells and keeps the answer; theirs is a bare insert): requests | Directus 11 | 2.2 |
| | Parse Server 9 | 0.19 |
| create a booking in one venue (rules, locks, event, kept answer; theirs a bare insert): requests | Directus 11 | 1.0 |
| | Parse Server 9 | 0.09 |
| deliveries per CPU-second of the sender, a backlog over warm connections | graphile-worker with undici, tuned by hand | 0.6 |
| | graphile-worker with undici, as it comes | 1.7 |
| | Outpost | 3.1 |
| request to receiver at 200 a second, p50 | graphile-worker with undici | twice as late |
| | Outpost | 4.6 times sooner |
| 20,000 mails of 34 KB to one sink: mails per second | listmonk | 1.21 |
| the same, mails per CPU-second | listmonk | 1.72 |
| the same, memory | listmonk | 1/7.4 |

To repeat it: start the other on the PostgreSQL of a running \`npm start\` (\`DATA_DIR\` says where its socket is) with a database of its own; make the same 12,000 reservations in it, with its own key or token; send the same requests with \`bench/load.ts\`, which is one file without dependencies; and read processor time from \`/proc/<pid>/stat\` of its processes and PostgreSQL's before and after. For deliveries: one job per event with a POST signed as \`docs/webhooks.md\` says, to \`bench/webhooks/receiver.ts\`; tuned by hand means a local queue of 500 in the process and one keep-alive agent. For mails: \`bench/mail/sink.ts\` as the relay.`
