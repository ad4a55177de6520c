import { type TestService, startService } from '../service.ts'
import { type StripeStandIn, startStripeStandIn } from './stand-in.ts'

/** A service whose payments go to the simulated processor, with one clock for both. */
export const startPaidService = async (): Promise<{ service: TestService; stripe: StripeStandIn }> => {
  const stripe = await startStripeStandIn()
  const service = await startService({ PRACTICE: 'on', PAYMENTS_URL: stripe.url })
  stripe.clock = () => service.context.clock().epochMilliseconds
  stripe.reach = (url) => url.replace(service.context.config.publicUrl, service.url)
  return { service, stripe }
}
