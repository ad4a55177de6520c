import { limits } from '@venue-data/contract/limits.ts'
import {
  type EdgeReason,
  type ProblemType,
  type Reason,
  edgeReasons,
  faults,
  problemTypes,
  reasons,
} from '@venue-data/contract/reasons.ts'
import { type Html, html } from '../../html/html.ts'
import { inBody } from '../../kernel/problem.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { problemText, problemType } from '../problem-form.ts'
import { casesEverywhere } from '../openapi/refusal-cases.ts'
import type { Chapter } from './chapter.ts'
import { refusalList, statusBadge } from './endpoint-part.ts'
import { json, panel } from './samples.ts'
import { part, prose } from './words.ts'

const edgeReasonsOf = (type: ProblemType) =>
  (Object.keys(edgeReasons) as EdgeReason[]).flatMap((reason) =>
    edgeReasons[reason].type === type ? [[reason, edgeReasons[reason]] as const] : [],
  )

const sampleProblem: unknown = JSON.parse(
  problemText(
    badRequest(edgeReasons['field-invalid'].sentence, inBody('partySize', 'not-an-integer')),
    '0199b3c2-7f1e-7a54-9c3d-2f6a1b7c8d90',
  ),
)

/** Explanations of problems, by the anchors that a problem's `type` names. */
const problemForm = html`
  <h3 class="minor" id="problem-form">The problem form</h3>
  <p>
    Name <code>${problemType}</code> in <code>Accept</code>, and refusals come in that form (RFC 9457). It says
    what the plain form says, <code>error</code> included, so one parser reads both; <code>errors</code> of a 400
    has every wrong field, parameter or header (at most ${limits.wrongFieldsMost}), <code>instance</code> the
    <code>X-Request-Id</code>, and <code>type</code> leads here. Wildcards do not ask for it. What never became a
    request is refused in the plain form.
  </p>
  <p>Only this form has the reasons below. The list may grow: treat an unknown reason like its status.</p>
  <dl class="refusals">
    ${(Object.keys(problemTypes) as ProblemType[]).map(
      (type) =>
        html` <div id="${type}">
          <dt>${problemTypes[type]}</dt>
          <dd>
            ${edgeReasonsOf(type).map(
              ([reason, { status, when }]) =>
                html`<p class="reason">${statusBadge(status)} ${reason}</p>
                  <p>${prose(when)}</p>`,
            )}
          </dd>
        </div>`,
    )}
  </dl>
  <p>What is wrong at a place, <code>errors[].reason</code>:</p>
  <dl class="fields">
    ${Object.entries(faults).map(
      ([fault, means]) =>
        html`<div>
          <dt>${fault}</dt>
          <dd>${means}</dd>
        </div>`,
    )}
  </dl>
`

/** What a refusal looks like, what each status means, and the order in which an endpoint checks. */
export const errors = (): Chapter => ({
  id: 'errors',
  title: 'Errors',
  body: part(
    { id: 'errors' },
    'Errors',
    html`
      <p>
        Every refusal has the same shape: <code>error</code> is one sentence written for a person, and
        <code>reason</code>, where a program may act on it, is a short stable code. Show the sentence to
        people; branch on the status and the reason.
      </p>
      <dl class="refusals">
        ${statuses.map(
          ({ status, means, again }) =>
            html` <div>
              <dt>${statusBadge(status)}</dt>
              <dd>
                <p>${prose(means)}</p>
                <p class="again">Try again? ${prose(again)}</p>
              </dd>
            </div>`,
        )}
      </dl>
      <h3 class="minor">What every endpoint may answer</h3>
      ${refusalList(casesEverywhere)}
      ${problemForm}
      <h3 class="minor">The order of checks</h3>
      <p>The first check that fails is the answer. The body is not read until the key has passed.</p>
      <ol>
        ${order.map((check) => html`<li>${prose(check)}</li>`)}
      </ol>
    `,
    [
      panel('A refusal', json({ error: reasons.closed.sentence, reason: 'closed' })),
      panel('The same request with Accept: application/problem+json', json(sampleProblem)),
    ],
  ),
})

/** Every reason code with its sentence; the endpoints link here. */
export const reasonCodes = (): Chapter => ({
  id: 'reasons',
  title: 'Reason codes',
  body: part({ id: 'reasons' }, 'Reason codes', [
    html`<p>
      The sentences are samples: real ones have the venue’s and the request’s days, times and numbers. The
      list may grow; treat an unknown reason like its status.
    </p>`,
    html`<dl class="refusals">${(Object.keys(reasons) as Reason[]).map(reasonEntry)}</dl>`,
  ]),
})

const reasonEntry = (reason: Reason): Html => {
  const { status, when, sentence } = reasons[reason]
  return html` <div id="reason-${reason}">
    <dt>${statusBadge(status)}</dt>
    <dd>
      <p class="reason">${reason}</p>
      <p>${prose(when)}</p>
      <p class="says">“${sentence}”</p>
    </dd>
  </div>`
}

/** What each status means and whether to repeat the request. */
const statuses: readonly { status: number; means: string; again: string }[] = [
  {
    status: 400,
    means: 'Something is missing or cannot be read; the sentence says what.',
    again: 'After fixing it.',
  },
  { status: 401, means: 'No key, or one that is unknown or revoked.', again: 'No.' },
  {
    status: 402,
    means: 'A campaign would exceed the emails that the plan includes per month (`plan-limit`).',
    again: 'No: mail fewer people, or in another month.',
  },
  { status: 403, means: 'The venue cannot use the API now, or this key may not do this.', again: 'No.' },
  { status: 404, means: 'No such address, or no such record at this venue.', again: 'No.' },
  {
    status: 405,
    means: 'The address does not take this method; `Allow` names those it takes.',
    again: 'No.',
  },
  {
    status: 409,
    means:
      'The venue said no (closed, fully booked, too late and so on), an Idempotency-Key clashed, or a step of a campaign came too early or too late.',
    again: 'With different details; after `still-processing`, the same request.',
  },
  {
    status: 410,
    means:
      'The record was here and is gone: `deleted`, `merged` (into the one that `mergedInto` names) or `erased`. Or the cursor of `/changes` or `/events` is too old (`cursor-expired`) or another venue’s (`cursor-of-another-venue`).',
    again:
      'No. Drop your copy; after an erasure, everything that you have of the person. With an old cursor, read `/changes` from the beginning, or `/events` without `after`. With another venue’s, stop: key and copy do not belong together.',
  },
  {
    status: 412,
    means:
      'The record is no longer at the state that `If-Match` names; `current` is the record as it is now, and `ETag` its tag.',
    again: 'After looking at `current`: merge your change into it, and send the new tag.',
  },
  {
    status: 413,
    means: `The body sent to create a webhook endpoint is over ${limits.webhookBodyBytes / 1024} KB. Everywhere else an oversized body is 400.`,
    again: 'After fixing it.',
  },
  {
    status: 428,
    means: 'A change of a record needs `If-Match`: the `ETag` you read, or `*`.',
    again: 'With `If-Match`.',
  },
  {
    status: 429,
    means: `Over ${limits.requestsPerMinute} requests in a minute.`,
    again: 'After `Retry-After` seconds.',
  },
  { status: 500, means: 'A failure on our side.', again: 'Yes, after a pause.' },
  {
    status: 503,
    means: 'The key could not be checked, or the data could not be reached.',
    again: 'Yes, after `Retry-After` seconds.',
  },
]

/** The first failing check answers; docs/api.md#order-of-checks has the same list. */
const order = [
  'The request is valid HTTP (400).',
  'The address exists (404) and takes the method (405).',
  'The key is known (401) and within its rate (429).',
  'The venue may use the API, and the key may be used from this address and may do this (403).',
  'The body is not too large (400 or 413) and is JSON (400).',
  'The Idempotency-Key is well formed (400).',
  'No field is one that only staff set (403), and the fields can be read (400).',
  'The Idempotency-Key is free, or its answer is kept (409).',
  'The record is there (404, 410), `If-Match` is there where it is needed (428), and holds (412).',
  'The venue agrees (409), and its plan has emails left for a campaign (402).',
]
