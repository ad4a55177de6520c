import type { DeliveryInclude, DeliveryPayload } from '@venue-data/contract/webhooks/webhook-states.ts'
import { type EventName, kindOfEvent } from '@venue-data/contract/webhooks/events.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { hidesContacts, maskedData } from '../../platform/http/records/contacts-hidden.ts'

/*
 * What an endpoint gets of an event: derived from the event's bytes at each attempt, by the endpoint's settings and its
 * key's scopes, and always in the same way, so that every attempt has the same bytes.
 */

export type EndpointView = {
  readonly payload: DeliveryPayload
  readonly include: readonly DeliveryInclude[]
  readonly scopes: readonly Scope[]
}

/** The data and the previous values, as JSON text. */
export const dataForEndpoint = (
  event: EventName,
  data: string,
  previous: string | null,
  { payload, include, scopes }: EndpointView,
): { readonly data: string; readonly previous?: string | null } => {
  // The previous values would reveal what is left out here.
  if (payload === 'thin') return { data: thin(data) }
  const whole = maskedData(scopes, event, data)
  return include.includes('previous')
    ? { data: whole, previous: previous && withoutHidden(event, previous, scopes) }
    : { data: whole }
}

/** Only the id; data without an id is not about a person, and stays. */
const thin = (data: string): string => {
  const record = JSON.parse(data) as Record<string, unknown>
  return 'id' in record ? JSON.stringify({ id: record['id'] }) : data
}

/** A key that may not see the kind does not even learn that something changed. */
const withoutHidden = (event: EventName, previous: string, scopes: readonly Scope[]): string => {
  const kind = hidesContacts(scopes) ? kindOfEvent(event) : undefined
  if (kind === undefined) return previous
  const hidden: readonly string[] = kinds[kind].contacts
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(previous) as object).filter(([field]) => !hidden.includes(field)),
    ),
  )
}
