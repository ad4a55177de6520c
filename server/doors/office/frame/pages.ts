import type { Context } from '../../../context.ts'
import { accountPages } from '../sign-in/account.ts'
import { appPages } from '../apps/routes.ts'
import { activityPages } from '../activity/routes.ts'
import { callPages } from '../tablet/call.ts'
import { campaignPages } from '../campaigns/routes.ts'
import { doorPages } from '../door/routes.ts'
import { floorPages } from '../floor/routes.ts'
import { gridPages } from '../grid/routes.ts'
import { guestPages } from '../guests/routes.ts'
import { dataPages } from '../data/routes.ts'
import { integrationPages } from '../integrations/routes.ts'
import { manifestPages } from '../tablet/manifest.ts'
import { leadPages } from '../leads/routes.ts'
import { namePages } from '../sign-in/name.ts'
import { passwordPages } from '../sign-in/password.ts'
import { paymentPages } from '../payments/routes.ts'
import { peoplePages } from '../people/list.ts'
import { strandedPages } from '../bookings/stranded.ts'
import { reportPages } from '../reports/routes.ts'
import { reviewPages } from '../reviewers/venues.ts'
import type { OfficePage } from './serve-page.ts'
import { searchPages } from '../search/routes.ts'
import { lineUpPages } from '../servers/line-up.ts'
import { ownPartiesPages } from '../servers/own-parties.ts'
import { serverSettingsPages } from '../servers/settings.ts'
import { servicePages } from '../service/routes.ts'
import { closeOutPages } from '../service/close-out.ts'
import { sheetPages } from '../service/sheet.ts'
import { tonightPages } from '../service/tonight-routes.ts'
import { settingsPages } from '../settings/routes.ts'
import { signInPages } from '../sign-in/sign-in.ts'
import { subscriberPages } from '../subscribers/routes.ts'
import { topicsPages } from '../subscribers/topics.ts'
import { taskPages } from '../tasks/routes.ts'
import { textPages } from '../texts/text-pages.ts'
import { ticketPages } from '../tickets/routes.ts'
import { todayPages } from '../today/routes.ts'
import { waitlistPages } from '../waitlist/routes.ts'

/** Every page of the office, and of the service's own reviewers. */
export const officePages = (context: Context): readonly OfficePage[] => [
  ...signInPages,
  ...passwordPages,
  ...accountPages,
  ...namePages,
  ...manifestPages,
  ...servicePages,
  ...tonightPages,
  ...sheetPages,
  ...closeOutPages,
  ...lineUpPages,
  ...ownPartiesPages,
  ...serverSettingsPages,
  ...searchPages,
  ...callPages(context),
  ...strandedPages,
  ...todayPages,
  ...floorPages,
  ...waitlistPages(context),
  ...textPages,
  ...gridPages,
  ...guestPages,
  ...leadPages,
  ...taskPages,
  ...ticketPages(context),
  ...doorPages,
  ...paymentPages,
  ...topicsPages,
  ...subscriberPages,
  ...campaignPages(context),
  ...reportPages,
  ...activityPages,
  ...integrationPages(context),
  ...appPages(context),
  ...dataPages(context),
  ...peoplePages(context),
  ...settingsPages(context),
  ...reviewPages,
]
