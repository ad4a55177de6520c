import type { Context } from '../../context.ts'
import type { VenuePage } from '../serve-page.ts'
import { peoplePages } from './people-pages.ts'
import { reportPages } from './report-pages.ts'
import { sendPages } from './send-pages.ts'
import { writePages } from './write-pages.ts'

/** Campaigns: written, aimed, tested, sent, stopped and told of. For managers. */
export const campaignPages = (context: Context): readonly VenuePage[] => [
  ...writePages(context),
  ...peoplePages(context),
  ...sendPages(context),
  ...reportPages,
]
