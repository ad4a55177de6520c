import { run } from '../commands.ts'
import { type Finding, failed, held, notTried } from '../findings.ts'

/** The service through all steps of `npm run try:cluster` on an empty database: it starts, takes bookings, restarts. */
export const trialOn = async (what: string, address: string, list: number): Promise<Finding> => {
  const said = await run('npm', [
    'run',
    '--silent',
    'try:cluster',
    '--',
    address,
    '--list',
    String(list),
  ]).catch((error: Error) => error)
  if (said instanceof Error) return failed(what, '', said.message)
  // "Met Citus 13.2.2 with 2 nodes …; PostgreSQL 15.20 …, as venue_data." or "Met a plain PostgreSQL 15.20 …"
  const versions = [...said.matchAll(/(?:Citus|PostgreSQL) [\d.]+/g)].slice(0, 2).map(([one]) => one)
  return held(what, versions.join(' on '))
}

export const tryCluster = async ({ cluster }: { readonly cluster: string | undefined }) => [
  cluster === undefined
    ? notTried('Citus', 'no address of a cluster was given (`--cluster`)')
    : await trialOn('Citus', cluster, 100_000),
]
