import type { Context } from '../../../context.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { peoplePages } from './audience.ts'
import { reportPages } from './report.ts'
import { sendPages } from './send-routes.ts'
import { writePages } from './write.ts'

/** Campaigns: write, choose people, test, send, stop and report. For managers. */
export const campaignPages = (context: Context): readonly VenuePage[] => [
  ...writePages(context),
  ...peoplePages(context),
  ...sendPages(context),
  ...reportPages,
]
