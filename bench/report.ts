/** A row of the table. `floor` is what the service is compared with; without one the figure stands alone. */
export type Figure = {
  readonly name: string
  readonly floor?: number
  readonly service: number
  /** Bounds of the ratio, or of the figure itself where there is no floor. */
  readonly goal?: { readonly least?: number; readonly most?: number }
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The figures as a Markdown page. */
export const table = (
  figures: readonly Figure[],
  how: { machine: string; rounds: number; seconds: number; connections: number },
): string => {
  const rows = figures.map(({ name, floor, service, goal }) => {
    const measured = floor === undefined ? service : service / floor
    const met =
      goal === undefined ||
      ((goal.least === undefined || measured >= goal.least) &&
        (goal.most === undefined || measured <= goal.most))
    const bound = goal === undefined ? '' : goal.least === undefined ? `≤ ${goal.most}` : `≥ ${goal.least}`
    const verdict = goal === undefined ? '' : met ? 'met' : '**missed**'
    return `| ${name} | ${floor === undefined ? '' : short(floor)} | ${short(service)} | ${floor === undefined ? '' : measured.toFixed(2)} | ${bound} | ${verdict} |`
  })
  return `# Benchmark

Made by \`npm run bench -- --write\`: ${how.machine}. Medians of ${how.rounds} rounds of ${how.seconds} s for each side, in turns, ${how.connections} connections. Absolute figures belong to this machine; what counts is the ratio to the floor measured beside it.

| Case | Floor | Service | Ratio | Goal | |
|---|---|---|---|---|---|
${rows.join('\n')}

Service, floors and load generator are processes of their own that share the cores with PostgreSQL; the service is started as \`npm start\` does, with the rate limit out of the way, and each venue has four keys. The floors:

- for a read, a bare Fastify handler with the same pool and codecs, the same single statement and the same JSON, without key, rate, validation, request id and log;
- for \`/me\`, a bare handler doing the key statement, once for each request. The service shares one statement among the requests that arrive together, so it can be above its floor;
- for a write, the same SQL alone, from one script: the claim of the Idempotency-Key and the transaction, noted from a request that the service itself served, with the statements that it sends together sent together. The statement of the key check is left out of it. Eight venues take the bookings, so that not one venue's locks are measured.
`
}

const short = (value: number): string => (value >= 100 ? String(Math.round(value)) : value.toFixed(2))
