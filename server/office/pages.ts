import type { Context } from '../context.ts'
import { accountPages } from './account-pages.ts'
import { integrationPages } from './integrations/pages.ts'
import { peoplePages } from './people-pages.ts'
import { reviewPages } from './review-pages.ts'
import type { OfficePage } from './serve-page.ts'
import { rulesPages } from './settings/rules-pages.ts'
import { venuePages } from './settings/venue-pages.ts'
import { signInPages } from './sign-in-pages.ts'
import { todayPages } from './today/pages.ts'

/** Every page of the office, and of the service's own reviewers. */
export const officePages = (context: Context): readonly OfficePage[] => [
  ...signInPages,
  ...accountPages,
  ...todayPages,
  ...integrationPages(context),
  ...peoplePages(context),
  ...rulesPages,
  ...venuePages,
  ...reviewPages,
]
