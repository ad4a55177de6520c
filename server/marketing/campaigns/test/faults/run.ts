import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../../platform/db/pool.ts'
import { eventually } from '../../../../test/eventually.ts'
import { type Mortal, longest } from '../../../../integrations/webhooks/test/faults/run.ts'
import type { Sink } from './sink.ts'

export type MailFaultRun = {
  readonly db: Database
  readonly sink: Sink
  /** The campaign that is due. */
  readonly campaign: number
  readonly people: number
  readonly kills: number
  /** A kill comes after so many milliseconds of a process being ready, at random. */
  readonly killAfterMs: readonly [least: number, most: number]
  readonly start: () => Promise<Mortal>
  readonly processes: number
}

export type MailReckoning = { readonly problems: string[]; readonly figures: Record<string, number> }

/** Kills one process after the other at random moments, each with a successor at once, then lets it end and reckons. */
export const runMailFaults = async (run: MailFaultRun): Promise<MailReckoning> => {
  const processes: Mortal[] = await Promise.all(Array.from({ length: run.processes }, run.start))
  let kills = 0
  let longestGapMs = 0
  const status = async (): Promise<string> =>
    (await rows<{ status: string }>(run.db, 'select status from campaign where id = $1', [run.campaign]))[0]
      ?.status ?? ''
  try {
    await Promise.all(processes.map((one) => one.ready()))
    const startedMs = performance.now()
    while (kills < run.kills && (await status()) !== 'sent') {
      await pause(randomInt(...run.killAfterMs))
      const place = kills % processes.length
      const victim = processes[place] as Mortal
      victim.signal('SIGKILL')
      await victim.ended
      kills++
      const successor = await run.start()
      processes[place] = successor
      await successor.ready()
    }
    await eventually(async () => (await status()) === 'sent', { times: longest })
    const moments = [startedMs, ...run.sink.taken.map(({ atMs }) => atMs)]
    longestGapMs = Math.max(...moments.slice(1).map((at, n) => at - (moments[n] as number)))
  } finally {
    for (const one of processes) one.signal('SIGKILL')
    await Promise.all(processes.map(({ ended }) => ended))
  }
  return reckon(run, kills, longestGapMs)
}

type CopyRow = { message_id: string | null; state: string; why: string | null; tries: number }

/** Compares the books of the sink, of the list and of the campaign. */
const reckon = async (
  { db, sink, campaign, people }: MailFaultRun,
  kills: number,
  longestGapMs: number,
): Promise<MailReckoning> => {
  const problems: string[] = []
  const complain = (what: string, of: readonly unknown[]): void => {
    if (of.length > 0) problems.push(`${of.length} × ${what}, such as ${JSON.stringify(of[0])}`)
  }
  const copies = await rows<CopyRow>(
    db,
    'select message_id, state, why, tries from recipient where campaign_id = $1',
    [campaign],
  )
  const [tally] = await rows<{
    sent_count: number
    failed_count: number
    skipped_count: number
    row_count: number
  }>(db, 'select sent_count, failed_count, skipped_count, row_count from campaign where id = $1', [campaign])
  const arrivals = Map.groupBy(sink.taken, ({ messageId }) => messageId)
  const byPerson = Map.groupBy(sink.taken, ({ to }) => to)
  const sent = copies.filter(({ state }) => state === 'sent')
  const unknown = copies.filter(({ state, why }) => state === 'failed' && why === 'unknown')
  const known = new Set(copies.map(({ message_id }) => message_id))
  complain(
    'a Message-ID taken twice',
    [...arrivals].filter(([, all]) => all.length > 1),
  )
  complain(
    'a person mailed twice',
    [...byPerson].filter(([, all]) => all.length > 1),
  )
  complain(
    'sent and never taken',
    sent.filter(({ message_id }) => !arrivals.has(message_id ?? '')),
  )
  complain(
    'taken and not on the list',
    [...arrivals.keys()].filter((id) => !known.has(id)),
  )
  const mayHave = new Set([...sent, ...unknown].map(({ message_id }) => message_id))
  complain(
    'taken and neither sent nor unknown',
    [...arrivals.keys()].filter((id) => !mayHave.has(id)),
  )
  complain(
    'not accounted for',
    copies.filter(({ state, why }) => state !== 'sent' && !(state === 'failed' && why === 'unknown')),
  )
  complain(
    'tallies that are not those of the list',
    [tally].filter(
      (one) =>
        one?.sent_count !== sent.length || one.failed_count !== unknown.length || one.row_count !== people,
    ),
  )
  if (unknown.length > 40 * kills) problems.push(`${unknown.length} unknown after ${kills} kills`)
  return {
    problems,
    figures: {
      kills,
      people: copies.length,
      taken: sink.taken.length,
      sent: sent.length,
      unknown: unknown.length,
      unknownThatArrived: unknown.filter(({ message_id }) => arrivals.has(message_id ?? '')).length,
      unknownPerKill: Math.round((unknown.length / Math.max(1, kills)) * 10) / 10,
      longestGapMs: Math.round(longestGapMs),
    },
  }
}

const rows = async <Row>(db: Database, text: string, values: unknown[]): Promise<Row[]> =>
  (await db.session((client) => client.query(text, values))).rows as Row[]
