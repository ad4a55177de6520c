import { readConfig } from '../../../config.ts'
import { openLog, openProgram } from '../../../program.ts'
import { startEngine } from '../../engine/engine.ts'
import { sweep } from '../../engine/sweep.ts'
import { createSender } from '../../sender.ts'

/*
 * A worker for the short form of the fault run: the engine with a time limit of three seconds and a lease little longer, so
 * that what a killed worker held is taken over while the test still runs.
 */

const { context } = await openProgram(readConfig(), 'service', openLog('warn', 'stderr'))
const parts = { ...context, db: context.workerDb, sender: createSender({ practice: true, limitMs: 3_000 }) }
await sweep(parts)
startEngine(parts, { leaseMs: 4_500 })
process.stdout.write('ready\n')
