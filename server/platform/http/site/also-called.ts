import { anchorOf } from '../reference/words.ts'
import { groupPath, placeOf } from '../reference/places.ts'
import { guidePath } from './guides.ts'

/** Other APIs' names for our concepts, which readers type into the search, by the page that covers each. */
export const alsoCalled: Readonly<Record<string, string>> = {
  [placeOf('authentication')]: 'api key token bearer credentials',
  [placeOf('lists')]: 'pagination paging pages',
  [placeOf('idempotency')]: 'idempotency retries duplicates',
  [placeOf('rate-limit')]: 'throttling quota too many requests',
  [placeOf('versioning')]: 'deprecation breaking changes',
  [placeOf('retrying')]: 'webhook retry backoff',
  [placeOf(anchorOf('cancelReservation'))]: 'cancel a booking',
  [placeOf(anchorOf('createReservation'))]: 'create a booking',
  [groupPath('Erasures')]: 'gdpr ccpa privacy delete a guest forget',
  [guidePath('docs/practice.md')]: 'sandbox test environment',
  [guidePath('docs/keep-a-copy.md')]: 'sync mirror replicate crm',
  [`${guidePath('docs/webhooks.md')}#verifying`]: 'verify webhook signature hmac',
  [guidePath('sdk/README.md')]: 'javascript node client library',
  [guidePath('sdk-python/README.md')]: 'client library',
  [guidePath('mcp/README.md')]: 'ai assistant agent claude llm',
}
