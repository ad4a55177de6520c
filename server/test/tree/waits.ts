import { type Sources, isTest, withoutComments } from './imports.ts'

/*
 * Tests wait for events and conditions, with the one patience that is measured (patience.ts), and never for a time: a
 * limit that a slow machine meets says nothing about the program. How long something takes is asserted by the bench alone.
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
 * What waits, times and starts processes for all, what makes load for the bench, a balancer's probes, a clock, a thread
 * that is stopped until it is answered, what a mutant withholds for good, a relay's own end, a name server's
 * signature, `npm run generate`, a process that is spoken to, and the check's own cases.
 */
const letThrough = [
  'conformance/test/catching.ts',
  'generate/main.ts',
  'connectors/test/apps-script-worker.ts',
  'server/platform/db/embedded/test/harness.ts',
  'server/mail/test/dkim-verifier.ts',
  'server/mail/test/relay.ts',
  'server/test/child.ts',
  'server/test/eventually.test.ts',
  'server/test/eventually.ts',
  'server/test/patience.ts',
  'server/test/processes/practice-clock.test.ts',
  'server/test/processes/rolling-restart.test.ts',
  'server/test/run/run.ts',
  'server/test/run/timed.ts',
  'server/test/tree/waits.test.ts',
  'server/integrations/webhooks/test/faults/',
  'server/marketing/campaigns/test/faults/',
]

const rules = [
  {
    pattern:
      /\bsetTimeout\b[^}]*\} from 'node:timers\/promises'|(?<![\w$.])setTimeout\(|Atomics\.wait\(|waitForTimeout\(|\b(?:time|asyncio)\.sleep\((?!0\))/g,
    says: 'a test does not sleep',
  },
  {
    pattern:
      /(?<![\w$])(?:\w*[tT]imeout\w*|withinMs|\w*[dD]eadline\w*|\w*[pP]atience\w*) ?[:=] ?[1-9]|AbortSignal\.timeout\(|\.setTimeout\(/g,
    says: 'a limit follows from `patience`',
  },
  {
    pattern: /assert[^\n]*(?:performance|Date)\.now\(\)|(?:performance|Date)\.now\(\) ?[-<>] ?/g,
    says: 'how long something takes is for the bench',
  },
  {
    pattern: /(?<![\w$.])(?:spawn|fork)\(|once\([^\n)]*\bstd(?:out|err)\b/g,
    says: 'a process is started and waited for with `startChild`, which hears its end',
  },
  {
    pattern: /\bopenDatabase\(\{(?![^}]*\bpatience\b)/g,
    says: 'a database is opened with `openPatiently`',
  },
  {
    pattern: /(?<![\w$.])openProgram\((?![^\n]*\bpatience\b)/g,
    says: 'a program is opened with `openPatientProgram`',
  },
] as const
