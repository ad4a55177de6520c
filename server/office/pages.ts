import type { Context } from '../context.ts'
import { accountPages } from './account-pages.ts'
import { activityPages } from './activity/pages.ts'
import { campaignPages } from './campaigns/pages.ts'
import { guestPages } from './guests/pages.ts'
import { dataPages } from './data/pages.ts'
import { integrationPages } from './integrations/pages.ts'
import { leadPages } from './leads/pages.ts'
import { passwordPages } from './password-pages.ts'
import { peoplePages } from './people-pages.ts'
import { reviewPages } from './review-pages.ts'
import type { OfficePage } from './serve-page.ts'
import { daysPages } from './settings/days-pages.ts'
import { hoursPages } from './settings/hours-pages.ts'
import { limitsPages } from './settings/limits-pages.ts'
import { mailPages } from './settings/mail-pages.ts'
import { tryPages } from './settings/try-pages.ts'
import { venuePages } from './settings/venue-pages.ts'
import { signInPages } from './sign-in-pages.ts'
import { subscriberPages } from './subscribers/pages.ts'
import { topicsPages } from './subscribers/topics-pages.ts'
import { taskPages } from './tasks/pages.ts'
import { ticketPages } from './tickets/pages.ts'
import { todayPages } from './today/pages.ts'
import { waitlistPages } from './waitlist/pages.ts'

/** Every page of the office, and of the service's own reviewers. */
export const officePages = (context: Context): readonly OfficePage[] => [
  ...signInPages,
  ...passwordPages,
  ...accountPages,
  ...todayPages,
  ...waitlistPages,
  ...guestPages,
  ...leadPages,
  ...taskPages,
  ...ticketPages,
  ...topicsPages,
  ...subscriberPages,
  ...campaignPages(context),
  ...activityPages,
  ...integrationPages(context),
  ...dataPages(context),
  ...peoplePages(context),
  ...hoursPages,
  ...daysPages,
  ...limitsPages,
  ...tryPages,
  ...venuePages(context),
  ...mailPages(context),
  ...reviewPages,
]
