import type { Context } from '../../../context.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { daysPages } from './days.ts'
import { experiencesPages } from './experiences.ts'
import { guestSettingsPages } from './guest-pages.ts'
import { guaranteesPages } from './guarantees.ts'
import { hoursPages } from './hours.ts'
import { limitsPages } from './limits/limits.ts'
import { mailPages } from './mail.ts'
import { paymentsPages } from './payments.ts'
import { tablesPages } from './tables.ts'
import { textsPages } from './texts.ts'
import { tryPages } from './try.ts'
import { venuePages } from './venue.ts'

/** Hours, days, limits, a way to test them, and the venue's own details and email settings. */
export const settingsPages = (context: Context): readonly VenuePage[] => [
  ...hoursPages,
  ...daysPages,
  ...limitsPages,
  ...tablesPages,
  ...tryPages,
  ...venuePages(context),
  ...mailPages(context),
  ...textsPages(context),
  ...paymentsPages(context),
  ...guaranteesPages,
  ...experiencesPages,
  ...guestSettingsPages(context),
]
