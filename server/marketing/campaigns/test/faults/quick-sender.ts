import { readConfig } from '../../../../config.ts'
import { openLog, openProgram } from '../../../../program.ts'
import { startSending } from '../../sending/engine.ts'

/*
 * A process that only sends, for the short form of the fault run: it finds out about gone processes sooner, so that
 * what a killed one held is taken over while the test still runs.
 */

const { context } = await openProgram(readConfig(), 'service', openLog('warn', 'stderr'))
startSending(
  { ...context, db: context.workerDb },
  { lookMs: 100, beatMs: 200, goneAfterMs: Number(process.argv[2]) },
)
process.stdout.write('ready\n')
