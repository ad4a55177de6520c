/** A row of the table. `floor` is what the service is compared with; without one the figure has no ratio. */
export type Figure = {
  readonly name: string
  readonly floor?: number
  /** The other checkout's service, where one takes part. */
  readonly before?: number
  readonly service: number
  /** What the goal limits: the ratio to the floor (the default where there is one), to `before`, or the figure itself. */
  readonly goalOf?: 'floor' | 'before' | 'figure'
  readonly goal?: { readonly least?: number; readonly most?: number }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Figures under a heading, and a note on their floors. */
export type Group = { readonly title: string; readonly figures: readonly Figure[]; readonly about: string }

/** The figures as a Markdown page. */
export const tables = (
  groups: readonly Group[],
  how: { machine: string; rounds: number; seconds: number; connections: number },
): string => `# Benchmark

Written by \`npm run bench -- --write\`: ${how.machine}. Absolute figures apply only to this machine; what counts is the ratio to the floor measured with it.
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
  `Medians of ${rounds} rounds of ${seconds} s for each side, in turns, ${connections} connections. The service, the floors and the load generator are separate processes that share the cores with PostgreSQL; the service is started as \`npm start\` does, without the rate limit, and each venue has four keys. The floors are:

- for a read, a bare Fastify handler with the same pool and codecs, the same single statement and the same JSON, without key, rate limit, validation, request id and log;
- for \`/me\`, a bare handler that runs the key statement once per request. The service shares one statement among requests that arrive together, so it can beat its floor;
- for bookings at one venue, a script whose transaction locks the day and the guest book, inserts one row and commits: the locks last through the flush to disk, a limit no code can beat;
- for bookings at eight venues, the same SQL alone, from one script: the Idempotency-Key claim and the transaction, recorded from a request that the service itself served, with the statements that it sends together sent together. The key check's statement is left out. Eight venues, so that it is not one venue's locks that are measured. Processor time is the service's, or the service's and PostgreSQL's, per request.`

export const aboutGrowth =
  'One venue with a million reservations, and 300 requests on each of the next 14 days of service. The floor for the feed and for single records is a bare Fastify handler with the same pool, statements and JSON, without key, rate limit, validation and log. Paced figures run on 8 connections and count from when a request was due. Filters and sorts are asked one by one; the slowest is shown. The share of a core that waiting calls cost is the whole service’s, its other jobs included.'

export const aboutTheOffice =
  'The same service, on the demo venue, alongside the million records of the cases above. Pages are requested one after another on one connection, timed from the request to the last byte, compressed. A first visit is a page with its styles and scripts for somebody with an empty cache; the heaviest page that places and tabs lead to is shown. The second screen polls as often as its page says, and the clicks fall on all phases of that interval. Lists of 10,000 are office pages and the reads behind them, each the fastest of five views, in the tests that fill those tables.'

export const aboutDeliveries =
  'The engine, the receiver and the embedded PostgreSQL are separate processes that share the cores. The floor is a bare loop that sends as many signed requests with the same client to the same receiver; a figure with a floor is deliveries per second of the sending process’s CPU time. What a crash leaves is proved by `server/webhooks/engine/faults.test.ts`, not measured.'

export const aboutCampaigns =
  'The engine, a counting sink and the embedded PostgreSQL, durable, are separate processes that share the cores. The floor for the engine is nodemailer’s own pool of 10 connections to the same sink, which records nothing. The floor for building a list is a bare `insert .. select` of the same people, without checking anybody. What a crash leaves is checked by `node bench/mail-faults.ts`.'

/** Measured by hand, not by `npm run bench`, which does not install the alternatives. */
export const aboutOthers = `Alternatives a user could choose, measured once on the same machine with the same PostgreSQL, load generator and data, sides in turns as above (before the speedups listed in \`CHANGELOG.md\`). Ratios are accurate to about a tenth.

| Work | Ours against | Ratio |
|---|---|---|
| a list of 25 out of 12,000 with key, 32 connections: requests | Directus 11 | 8.4 |
| | Parse Server 9 | 3.0 |
| the same, CPU time per request | Directus 11 | 1/7.0 |
| | Parse Server 9 | 1/2.9 |
| create a guest (ours matches, emits an event and keeps the answer; theirs is a bare insert): requests | Directus 11 | 2.2 |
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

To repeat it, start the alternative on the PostgreSQL of a running \`npm start\` (\`DATA_DIR\` says where its socket is) with its own database; create the same 12,000 reservations in it, with its own key or token; send the same requests with \`bench/load.ts\`, a single file without dependencies; and read CPU time from \`/proc/<pid>/stat\` of its processes and PostgreSQL's before and after. For deliveries, use one job per event with a POST signed as \`docs/webhooks.md\` says, to \`bench/webhooks/receiver.ts\`; tuned by hand means an in-process queue of 500 and one keep-alive agent. For mail, use \`bench/mail/sink.ts\` as the relay.`
