/** A row of the table. `floor` is what the service is compared with; without one the figure has no ratio. */
export type Figure = {
  readonly name: string
  readonly floor?: number
  /** The other checkout's service, where one takes part. */
  readonly before?: number
  readonly service: number
  /**
   * What the goal limits: the ratio to the floor (the default where there is one), to `before`, or the figure itself.
   */
  readonly goalOf?: 'floor' | 'before' | 'figure'
  readonly goal?: { readonly least?: number; readonly most?: number }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

type How = { readonly rounds: number; readonly seconds: number; readonly connections: number }

/** One group's figures as a section of the page, with the date they were measured. */
export const section = (
  title: GroupTitle,
  figures: readonly Figure[],
  { today, stolen, ...how }: How & { readonly today: string; readonly stolen: number },
): string =>
  `## ${title}\n\n${table(figures)}\n\nMeasured on ${today}; the host of this virtual machine gave ${Math.round(stolen * 100)} % of its processor time to others meanwhile. ${abouts[title](how)}\n`

/** The page with a section replaced. Sections that no run writes do not change. */
export const withSection = (
  page: string,
  { title, text, machine }: { readonly title: GroupTitle; readonly text: string; readonly machine: string },
): string => {
  const kept = new Map(
    page
      .split(/^(?=## )/m)
      .slice(1)
      .map((one) => [/^## (.*)$/m.exec(one)?.[1] ?? '', one.trimEnd()]),
  )
  kept.set(title, text.trimEnd())
  const titles = [
    ...Object.keys(abouts),
    'Goals of the second look',
    'Missed, and why',
    'Beside others',
  ].filter((one) => kept.has(one))
  return `# Benchmark

Written by \`npm run bench -- --write\`: ${machine}. Absolute figures apply only to this machine; what counts is the ratio to the floor measured with it.

${titles.map((one) => kept.get(one)).join('\n\n')}
`
}

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

/** What the API figures' floors are. */
const aboutTheApi = ({ rounds, seconds, connections }: How): string =>
  `Medians of ${rounds} rounds of ${seconds} s for each side, in turns, ${connections} connections. The service, the floors and the load generator are separate processes that share the cores with PostgreSQL; the service is started as \`npm start\` does, without the rate limit, and each venue has four keys. The floors are:

- for a read, a bare Fastify handler with the same pool and codecs, the same single statement and the same JSON, without key, rate limit, validation, request id and log;
- for \`/me\`, a bare handler that runs the key statement once per request. The service shares one statement among requests that arrive together, so it can beat its floor;
- for bookings at one venue, a script whose transaction locks the day and the guest book, inserts one row and commits: the locks last through the flush to disk. It waits for the database four times, the last two of them with both locks;
- for bookings at eight venues, the same SQL alone, from one script: the Idempotency-Key claim and the transaction, recorded from a request that the service itself served, with the statements that it sends together sent together. The key check's statement is left out. Eight venues, so that it is not one venue's locks that are measured. Processor time is the service's, or the service's and PostgreSQL's, per request.`

const aboutGrowth =
  'One venue with a million reservations, and 300 requests on each of the next 14 days of service. The floor for the feed and for single records is a bare Fastify handler with the same pool, statements and JSON, without key, rate limit, validation and log. Paced figures run on 8 connections and count from when a request was due. Filters and sorts are asked one by one; the slowest is shown.'

const aboutReports =
  'One venue with 120 tables, its reservations spread over two years, about eight for each guest and nearly all at a table, asked for the report of a year against the year before, one page after another on one connection. What the page costs in statements and pages of the database is counted by `server/data/reports/cost.test.ts`.'

const aboutTheOffice =
  'The same service, on the demo venue, alongside the million records of the cases above. Pages are requested one after another on one connection, timed from the request to the last byte, compressed. A first visit is a page with its styles and scripts for somebody with an empty cache; the heaviest page that places and tabs lead to is shown. The second screen polls as often as its page says, and the clicks fall on all phases of that interval. Lists of 10,000 are office pages and the reads behind them, each the fastest of five views, in the tests that fill those tables.'

const aboutDoors =
  'The guest pages of the demo venue, requested as the office’s are, on the same service. Beside the crowd and the forms somebody keeps opening the service screen; load generator, service and PostgreSQL share the cores. Forms beyond the limits of an address are refused, which is part of what they cost.'

const aboutRush =
  'A practice instance with the demo venue; buyers and a processor that plays Stripe are a process of their own on the same cores. Every buyer is a browser with an address and a connection of its own, opens the page of the event, sends its form and pays. One after another they are measured without the time that the processor takes by its setting; the floor of a page beside buyers is the same page alone. `server/test/processes/rush.test.ts` runs a small crowd and looks that each seat is sold once and who paid has an order.'

const aboutCapacity =
  'One process with `ROLE=all` as a practice instance, so that endpoints may be on this machine, its PostgreSQL and the simulated venues, all on the same cores. Each venue has two service screens that renew themselves as browsers do, 20 further pages an hour, 6 bookings and 120 reads by key, a follower of the feed that waits, and an endpoint, with 420 bookings of 14 days. Everything keeps its pace whatever the answers take, each at a moment of its own, for 130 s, and times count from when a request was due. `server/test/processes/capacity.test.ts` runs eight such venues for 20 s and looks that all is answered.'

const aboutDeliveries =
  'The engine, the receiver and the embedded PostgreSQL are separate processes that share the cores. The floor is a bare loop that sends as many signed requests with the same client to the same receiver; a figure with a floor is deliveries per second of the sending process’s CPU time. What a crash leaves is proved by `server/integrations/webhooks/engine/faults.test.ts`, not measured.'

const aboutCampaigns =
  'The engine, a counting sink and the embedded PostgreSQL, durable, are separate processes that share the cores. The floor for the engine is nodemailer’s own pool of 10 connections to the same sink, which records nothing. The floor for building a list is a bare `insert .. select` of the same people, without checking anybody. What a crash leaves is checked by `node bench/mail-faults.ts`.'

const aboutClients =
  'The service runs in a separate process, on a separate venue; `GET /me` is asked one call after the other on one connection, twenty by `fetch` and twenty by the SDK in turns, and the medians of the turns are compared. There is no network in between, so that the overhead is at its largest. The command line is started from its packed and installed files.'

const aboutTables =
  'The assignment alone, without a database: generated evenings on which nobody sits yet, tidied, against the optimum of the same evening as an integer program (HiGHS). The floor is best fit: parties as they come, each at the free place that wastes fewest seats. For refusals, parties are judged one after another, and the solver is asked about each who was refused. Each time is the fastest of five; laying out the evening is part of a judgement. For quotes, the demo’s days are played again with their recorded arrivals and stays at 18 tables; parties without a booking sit down when the service would seat them, and leave after 90 minutes. Quotes by tables move nobody, so most that are wrong are too long. For idle tables the year is played there too, by hosts who take the first offer; whoever is booked has a table from the start, or was not booked.'

/** The groups in page order, each with a description of its floors. */
const abouts = {
  'The API': aboutTheApi,
  'What came after version 1': () => aboutGrowth,
  Reports: () => aboutReports,
  'The office': () => aboutTheOffice,
  'Guest pages': () => aboutDoors,
  'Tickets in a rush': () => aboutRush,
  Capacity: () => aboutCapacity,
  Deliveries: () => aboutDeliveries,
  Campaigns: () => aboutCampaigns,
  Clients: () => aboutClients,
  Tables: () => aboutTables,
} as const satisfies Record<string, (how: How) => string>

export type GroupTitle = keyof typeof abouts
