import type { operations } from './generated/openapi.d.ts'

/*
 * A client in the types that openapi-typescript makes of the document. It is compiled and never run: what is checked is
 * that another's generator understands every operation, and that what the README's integrator would write type-checks.
 */

/** The operations of the API; the others are what the service sends. */
export type CallId = Exclude<keyof operations, `on${Capitalize<string>}`>
type ReceivedId = Exclude<keyof operations, CallId>

type Content<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never

/** What an operation takes: its path, query, headers and body, each only where it has any. */
export type Asked<Id extends CallId> = {
  [
    Part in keyof operations[Id]['parameters'] as operations[Id]['parameters'][Part] extends undefined
      ? never
      : Part
  ]: operations[Id]['parameters'][Part]
} & (operations[Id] extends { requestBody: infer Body }
  ? { body: Content<Body> }
  : operations[Id] extends { requestBody?: infer Body }
    ? { body?: Content<NonNullable<Body>> }
    : unknown)

type Replies<Id extends CallId> = operations[Id]['responses']

/** An answer of an operation; its status tells which body it is. */
export type Answer<Id extends CallId> = {
  [Status in keyof Replies<Id>]: { status: Status; body: Content<Replies<Id>[Status]> }
}[keyof Replies<Id>]

/** Calls an operation. */
export type Call = <Id extends CallId>(id: Id, asked: Asked<Id>) => Promise<Answer<Id>>

/** Everything an endpoint of the client's own may receive, told apart by `event`. */
export type Received = { [Id in ReceivedId]: Content<operations[Id]['requestBody']> }[ReceivedId]
