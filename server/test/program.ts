import type { Config } from '../config.ts'
import { type Program, openLog, openProgram } from '../program.ts'
import { patience } from './database.ts'

/** A program in the test's own process, silent, with the patience of tests. */
export const openPatientProgram = (
  config: Config,
  role: Parameters<typeof openProgram>[1],
): Promise<Program> => openProgram(config, role, openLog('silent', 'stderr'), { patience })
