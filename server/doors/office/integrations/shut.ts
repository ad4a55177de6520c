import { includesApi } from '../../../core/venue/venue.ts'
import { venuesWithOpenApi } from '../../../integrations/access/reads.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/** Why events are waiting, for the owner; undefined if they are not. */
export const whyNothingIsSent = async ({ db, venue }: OfficeWork): Promise<string | undefined> => {
  if ((await venuesWithOpenApi(db, [venue.id])).has(venue.id)) return undefined
  return includesApi(venue.plan)
    ? 'Nothing is sent while the account is paused. Events wait for up to 48 hours and go out once the pause ends.'
    : `Nothing is sent while the venue is on the ${venue.plan} plan, which does not include the API. Events wait for up to 48 hours and go out if the plan changes.`
}
