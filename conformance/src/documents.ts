import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Ask, type Reply, pathOf } from './caller.ts'
import { Unmet, answerOf } from './expect.ts'
import { operations, schemas } from './generated/contract.ts'

/*
 * What the contract's documents promise for every answer: a status listed for the call, JSON, and the shape for that
 * status. The shapes are those of the OpenAPI document; unknown fields and values are fine, since they may be added
 * within version 1.
 */

type Validate = ((value: unknown) => boolean) & { errors?: readonly Fault[] | null }
type Fault = { readonly instancePath: string; readonly message?: string }

const ajv = new Ajv2020({
  strict: false,
  formats: {
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
    uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
    email: true,
    'external-id': true,
    'uri-reference': true,
  },
})
ajv.addSchema({ $id: 'contract', components: { schemas }, operations })

const compiled = new Map<string, Validate>()

const validator = (pointer: string): Validate => {
  const known = compiled.get(pointer)
  if (known) return known
  const made = ajv.compile({ $ref: `contract#${pointer}` }) as Validate
  compiled.set(pointer, made)
  return made
}

/** The places where a value does not match one of the contract's shapes, such as `Guest`; empty when it matches. */
export const faultsOfShape = (shape: string, value: unknown): string[] =>
  faultsAt(`/components/schemas/${shape}`, value)

const faultsAt = (pointer: string, value: unknown): string[] => {
  const validate = validator(pointer)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`)
}

const patterns = operations.map(({ method, path }) => ({
  method,
  fixed: !path.includes('{'),
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The index of the contract's row for a call; -1: not in the contract. */
const operationOf = (method: string, path: string): number => {
  const isFixed = patterns.some((one) => one.fixed && one.pattern.test(path))
  return patterns.findIndex((one) => one.method === method && one.fixed === isFixed && one.pattern.test(path))
}

/** The name of a call's operation in the documents. */
export const operationName = (ask: Ask): string | undefined =>
  operations[operationOf(ask.method, pathOf(ask.path))]?.id

/** Throws when an answer is not one the documents promise for the call. */
export const assertDocumented = (reply: Reply, ask: Ask): void => {
  const at = operationOf(ask.method, pathOf(ask.path))
  const row = operations[at]
  const { status, text } = reply
  if (row && !row.statuses.includes(status)) {
    throw new Unmet(`one of the statuses ${row.statuses.join(', ')}`, answerOf(reply))
  }
  if (status === 304 || ask.method === 'HEAD') return
  const type = reply.headers.get('content-type') ?? 'none'
  if (!/^application\/(?:problem\+)?json(?:;|$)/.test(type) || reply.body === undefined) {
    throw new Unmet('an answer in JSON', `${type}: ${status} ${text.slice(0, 200)}`)
  }
  const isProblem = type.startsWith('application/problem+json')
  const faults =
    status >= 400
      ? faultsOfShape(isProblem ? 'Problem' : 'Refusal', reply.body)
      : row && row.answers[status] !== undefined
        ? faultsAt(`/operations/${at}/answers/${status}`, reply.body)
        : []
  if (faults.length > 0)
    throw new Unmet(`the shape of ${reply.request}: ${faults.join('; ')}`, answerOf(reply))
}
