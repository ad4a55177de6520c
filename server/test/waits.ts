import { type Sources, isTest, withoutComments } from './imports.ts'

/*
 * Tests wait for events and conditions, with the one patience of eventually.ts, and never for a time: a limit that a slow
 * machine meets says nothing about the program. How long something takes is asserted by the bench alone.
 */

/** What of this the tests' sources do, one sentence each. */
export const waitsIn = (sources: Sources): string[] =>
  [...sources]
    .filter(([path]) => isTest(path) && !letThrough.some((known) => path.startsWith(known)))
    .flatMap(([path, text]) => {
      const code = withoutComments(text)
      return rules.flatMap(({ pattern, says }) =>
        [...code.matchAll(pattern)].map(([found]) => `${path}: ${says}: ${found.trim()}`),
      )
    })

/**
 * What waits and times for all, what makes load for the bench, a balancer's probes, a clock, a thread that stands still
 * until it is answered, and the check's own cases.
 */
const letThrough = [
  'connectors/test/apps-script-worker.ts',
  'server/test/eventually.ts',
  'server/test/practice-clock.test.ts',
  'server/test/rolling-restart.test.ts',
  'server/test/run.ts',
  'server/test/timed.ts',
  'server/test/waits.test.ts',
  'server/webhooks/test/faults/',
  'server/campaigns/test/faults/',
]

const rules = [
  {
    pattern:
      /\bsetTimeout\b[^}]*\} from 'node:timers\/promises'|(?<![\w$.])setTimeout\(|Atomics\.wait\(|waitForTimeout\(/g,
    says: 'a test does not sleep',
  },
  {
    pattern: /(?<![\w$])(?:timeout|withinMs): ?[\d_]+/g,
    says: 'a limit is `patienceMs`, or has a name that says why it is shorter',
  },
  {
    pattern: /assert[^\n]*(?:performance|Date)\.now\(\)|(?:performance|Date)\.now\(\) ?- ?/g,
    says: 'how long something takes is for the bench',
  },
] as const
