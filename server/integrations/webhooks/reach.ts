import { events, kindOfEvent, namesMeant } from '@venue-data/contract/webhooks/events.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { type EndpointKeys, scopesOfEndpoint } from '../../core/events/may-receive.ts'
import { hidesContacts } from '../../platform/http/records/contacts-hidden.ts'
import { scopeMissing } from '../../platform/http/refusals.ts'
import { refuse } from '../../platform/kernel/refusal.ts'

/*
 * Who may steer an endpoint: only a key that may read all that it sends. Otherwise moving it, or sending its deliveries
 * again, would show a key what it may not read, and its secret would let it speak for the venue.
 */

type Sending = EndpointKeys & { readonly events: readonly string[] }

/** Refuses, if the caller may not steer this endpoint. */
export type Reach = (endpoint: Sending) => void

/** Refuses an endpoint that sends more than these scopes of the calling key may read. */
export const reachOf =
  (caller: readonly Scope[]): Reach =>
  (endpoint) => {
    const sent = scopesOfEndpoint(endpoint)
    const names = namesMeant(endpoint.events).filter((name) => {
      const { scope } = events[name]
      return scope === null || sent.includes(scope)
    })
    for (const name of names) {
      const { scope } = events[name]
      if (scope !== null && !caller.includes(scope)) throw scopeMissing(scope)
    }
    const sendsContacts = !hidesContacts(sent) && names.some(hasContacts)
    if (sendsContacts && hidesContacts(caller)) throw sendsHiddenContacts()
  }

const hasContacts = (name: Parameters<typeof kindOfEvent>[0]): boolean => {
  const kind = kindOfEvent(name)
  return kind !== undefined && kinds[kind].contacts.length > 0
}

const sendsHiddenContacts = () =>
  refuse(
    'scope-missing',
    'This endpoint sends contact details, and this key may not see them; its owner can allow it.',
  )
