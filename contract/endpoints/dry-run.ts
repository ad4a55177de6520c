import { DryRun, DryRunRequest } from '../dry-run.ts'
import { body64, type Endpoint } from '../webhooks/endpoint.ts'
import { limits } from '../limits.ts'

export const dryRunEndpoints = {
  dryRun: {
    id: 'dryRun',
    method: 'POST',
    path: '/api/v1/dry-run',
    group: 'Dry run',
    since: '2026-11-23',
    summary: 'Try a write without doing it',
    description: `Runs a call with every check, then rolls all of it back: nothing is kept and nobody is notified. If the call would be refused, \`wouldAnswer\` has the refusal. Every POST and PATCH of records can be tried, but batches and campaigns cannot. If the call takes \`If-Match\`, send it here. At most ${limits.dryRunsPerMinute} dry runs a minute per key. Takes no Idempotency-Key.`,
    access: 'write',
    precondition: 'optional',
    body: DryRunRequest,
    bodyLimit: body64,
    replies: { 200: DryRun },
    badRequest: '`method` or `path` is missing, or `If-Match` cannot be read.',
    reasons: ['no-dry-run'],
  },
} as const satisfies Record<string, Endpoint>
