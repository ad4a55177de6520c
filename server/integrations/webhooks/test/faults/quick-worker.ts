import { monitorEventLoopDelay } from 'node:perf_hooks'
import { readConfig } from '../../../../config.ts'
import { openLog, openProgram } from '../../../../program.ts'
import { startEngine } from '../../engine/engine.ts'
import { sweep } from '../../engine/sweep.ts'
import { createSender } from '../../sending/sender.ts'

/*
 * A worker for the short form of the fault run: the engine with its own time limit and lease, both in milliseconds on
 * the command line, so that work held by a killed or stopped worker is taken over while the test still runs.
 */

const [limitMs, leaseMs] = process.argv.slice(2).map(Number)
if (!limitMs || !leaseMs) throw new Error('Wanted: the time limit and the lease.')
const { context } = await openProgram(readConfig(), 'service', openLog('warn', 'stderr'))
const parts = { ...context, db: context.workerDb, sender: createSender({ practice: true, limitMs }) }
await sweep(parts)
const engine = startEngine(parts, { leaseMs })
// Once it has ended, all its results have been written, or refused.
process.once('SIGTERM', () => void engine.stop().then(() => process.exit()))
process.stdout.write('ready\n')

/*
 * How late this process was for its own timers, at most so far. A system that lets it wait between the last look and the
 * first byte makes what it sends that late, too, and nothing in it can know.
 */
const lag = monitorEventLoopDelay({ resolution: 20 })
lag.enable()
let told = 0
setInterval(() => {
  const late = Math.ceil(lag.max / 1e6)
  if (late <= told) return
  told = late
  process.stdout.write(`late ${late}\n`)
}, 100).unref()
