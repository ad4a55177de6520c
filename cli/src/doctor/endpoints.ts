import type { WebhookEndpoint } from '@venue-data/sdk'
import type { Finding } from './finding.ts'

const about = 'webhooks'
/** Below this share of successful deliveries a receiver is not healthy. */
const healthyRate = 0.95

/** How each webhook endpoint is doing. */
export const endpointFindings = (endpoints: readonly WebhookEndpoint[], now: number): Finding[] =>
  endpoints.length === 0
    ? [{ is: 'fine', about, sentence: 'There are no webhook endpoints.' }]
    : endpoints.map((endpoint) => ({ about, ...healthOf(endpoint, now) }))

const healthOf = (endpoint: WebhookEndpoint, now: number): Omit<Finding, 'about'> => {
  const { id, url, status, lastDeliveryStatus, failureCount, successRate24h, waitingCount, oldestWaitingAt } =
    endpoint
  const look = `See \`venue-data list-deliveries webhooks ${id}\`.`
  if (status === 'disabled')
    return {
      is: 'problem',
      sentence: `${url} is off: ${endpoint.disabledReason}.`,
      advice: adviceFor(endpoint),
    }
  if (status === 'paused')
    return {
      is: 'warning',
      sentence: `${url} is paused${endpoint.pausedAt ? ` since ${endpoint.pausedAt.slice(0, 10)}` : ''}.`,
      advice: `To resume it: \`venue-data update webhooks ${id} status=active\`.`,
    }
  if (failureCount > 0)
    return {
      is: 'problem',
      sentence: `${url} failed ${failureCount === 1 ? 'once' : `${failureCount} times in a row`}, last with: ${lastDeliveryStatus}.`,
      advice: `${receiverAdvice(lastDeliveryStatus)} ${look}`,
    }
  if (successRate24h !== null && successRate24h < healthyRate)
    return {
      is: 'warning',
      sentence: `${url} took ${Math.round(successRate24h * 100)} % of the deliveries of the last 24 hours.`,
      advice: look,
    }
  if (waitingCount > 0 && oldestWaitingAt !== null && now - Date.parse(oldestWaitingAt) > longWaitMs)
    return {
      is: 'warning',
      sentence: `${waitingCount} ${waitingCount === 1 ? 'delivery waits' : 'deliveries wait'} for ${url}, the oldest since ${oldestWaitingAt}.`,
      advice: look,
    }
  return {
    is: 'fine',
    sentence: `${url} is ${lastDeliveryStatus ? `healthy (last: ${lastDeliveryStatus})` : 'active; nothing was delivered yet'}.`,
  }
}

const longWaitMs = 10 * 60_000

const adviceFor = ({ id, disabledReason }: WebhookEndpoint): string => {
  const resume = `\`venue-data update webhooks ${id} status=active\``
  switch (disabledReason) {
    case 'too-many-failures':
      return `Fix the receiver, try it with \`venue-data test webhooks ${id}\`, then ${resume}. Events of the last 48 hours are sent then.`
    case 'gone':
      return `The receiver answered 410. If that was a mistake, ${resume}.`
    case 'key-expired':
      return 'Ask the owner to let the key that made it work longer; deliveries then go on.'
    case 'key-revoked':
    case 'access-withdrawn':
      return `It is off for good. Remove it with \`venue-data delete webhooks ${id}\`, and add it again with another key.`
    default:
      return 'Ask the owner why.'
  }
}

const receiverAdvice = (status: string | null): string => {
  if (status === 'timeout') return 'Store the delivery and answer at once; the service waits ten seconds.'
  if (status === 'name not found' || status === 'address refused')
    return 'Check the address: it must be a public name.'
  if (status === 'tls failed') return 'Check the certificate of the receiver.'
  if (status === 'connection failed') return 'Check that the receiver is up and reachable from outside.'
  return 'The receiver isn’t returning 2xx: check its log.'
}
