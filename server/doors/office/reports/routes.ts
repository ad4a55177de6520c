import { type CountedFigure, countedFigures } from '../../../data/reports/figure-names.ts'
import { withHoursBefore } from '../../../data/reports/past-hours.ts'
import { firstServiceDate, hasTestAccount } from '../../../data/reports/report-reads.ts'
import { campaignsCounting, eventsOfDates } from '../../../data/reports/dated-reads.ts'
import { countFigures } from '../../../data/reports/count-figures.ts'
import { allBookingRules, bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { rulesVersion } from '../../../book/rules/rules-change.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { namesOfRecords } from '../../../data/names/names-of-records.ts'
import { staffFormats } from '../../../platform/kernel/time/in-words.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { keysOfVenue } from '../../../integrations/access/keys.ts'
import { html } from '../../../platform/html/html.ts'
import { page } from '../frame/page.ts'
import { leftSaid } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { changeTurnTime, turnTimePath } from './turn-time.ts'
import { openMore, openMorePart, openMorePath } from './open-more.ts'
import {
  type Asked,
  askedOf,
  beforeWordsOf,
  comparisonOf,
  faultIn,
  isMostlyBefore,
  lastWeeks,
  letterWeekOf,
  queryOf,
} from './period.ts'
import { type Shown, isRecent, shownOf } from './picture.ts'
import { pictureOf, picturesOf } from './pictures.ts'
import { weeklyLimit } from './weekly-limit.ts'
import { csvOf, faultBody, home, reportBody } from './shown-page.ts'

/** What happened, for managers and owners: pictures with a sentence, a table and a file each. No person is in any of them. */
export const reportPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work, { query }) => {
      const clock = await clockOf(work)
      const fault = faultIn(query, clock.today, clock.firstWeekday)
      if (fault) return { ...page('Reports', faultBody(fault, query), 400), sheet: 'reports' }
      const { asked, shown } = await readReport(work, query, clock)
      return {
        ...page(
          'Reports',
          html`${reportBody(shown, asked, picturesOf(shown), work.venue.timezone)}${leftSaid(work.me.notices)}`,
        ),
        ...{ sheet: 'reports', saysBelow: true },
      }
    },
  },
  {
    method: 'POST',
    path: turnTimePath,
    role: 'manager',
    answer: (work, { form }) => changeTurnTime(work, form),
  },
  {
    method: 'POST',
    path: openMorePath,
    role: 'manager',
    answer: (work, { form }) => openMore(work, form),
  },
  {
    method: 'GET',
    path: `${home}/:file`,
    role: 'manager',
    answer: async (work, { query, params }) => {
      const [, id = ''] = /^(.+)\.csv$/.exec(String(params.file)) ?? []
      const wanted = pictureOf(id)
      if (!wanted) throw notFound('report')
      const { asked, shown } = await readReport(work, query, await clockOf(work), wanted.of)
      const picture = wanted.make(shown)
      // One that only says what it leaves out is no file.
      if (!picture || picture.columns.length === 0) throw notFound('report')
      return {
        kind: 'file',
        name: `${work.venue.slug}-${picture.id}-${asked.from}-${asked.to}.csv`,
        type: 'text/csv; charset=utf-8',
        body: csvOf(picture),
      }
    },
  },
]

/** A campaign's number, also as links of its mails name it. */
const campaignOf = (value: string | number | undefined): number | undefined => {
  const [, id] = /^c?(\d{1,15})$/.exec(String(value)) ?? []
  return id === undefined ? undefined : Number(id)
}

const clockOf = async ({ db, venue, now, me }: OfficeWork) => {
  const around = await bookingRulesAround(db, venue, wallTimeOf(now(), venue.timezone).date)
  const { firstWeekday } = me.venue ? staffFormats(me.venue) : { firstWeekday: 1 }
  const tables = around.floor?.tables.map(({ label }) => label) ?? []
  return { today: serviceDateAt(around, now()), firstWeekday, tables }
}

const readReport = async (
  work: OfficeWork,
  query: URLSearchParams,
  { today, firstWeekday, tables }: Awaited<ReturnType<typeof clockOf>>,
  names: readonly CountedFigure[] = countedFigures,
): Promise<{ readonly asked: Asked; readonly shown: Shown }> => {
  const { db, venue, now, gate } = work
  const asked = askedOf(query, today, firstWeekday)
  const counted = await countFigures(work, gate, { ...asked, names, compare: comparisonOf(asked) })
  const first = await gate(venue.id, () => firstServiceDate(db, venue.id))
  const hasNoPast = counted.compared !== null && isMostlyBefore(counted.compared, first)
  const figures = hasNoPast ? { ...counted, compared: null } : counted
  const rules = await withHoursBefore(db, venue, await allBookingRules(db, venue.id))
  const campaigns = figures.figures
    .filter(({ name }) => name === 'campaigns' || name === 'funnel')
    .flatMap(({ rows }) => rows.flatMap(({ key }) => campaignOf(key['campaign']) ?? []))
  const keys = names.includes('calls') ? await keysOfVenue(db, venue.id) : []
  const nameOf = await namesOfRecords(
    db,
    venue.id,
    [...new Set(campaigns)].map((id) => ({ kind: 'campaign', id })),
  )
  const advises = names.includes('refused') && isRecent({ figures, today })
  const limit = advises
    ? await weeklyLimit(work, rules, { weeks: lastWeeks(today, firstWeekday), days: asked, since: first })
    : undefined
  const shown = shownOf(figures, {
    ...{ today, firstWeekday, tables, rules, rulesVersion: rulesVersion(rules) },
    beforeWords: figures.compared === null ? undefined : beforeWordsOf(asked),
    noPastBefore: hasNoPast ? first : undefined,
    since: first,
    period: queryOf(asked),
    countingUntil: names.includes('campaigns') ? await campaignsCounting(db, venue.id, now()) : new Map(),
    campaign: (id) => nameOf({ kind: 'campaign', id }) ?? `Campaign ${id}`,
    keyName: (id) => keys.find((key) => key.id === id)?.name ?? `Key ${id}`,
    eventsOn: names.includes('ticket_money')
      ? await gate(venue.id, () => eventsOfDates(db, venue.id, asked))
      : new Map(),
    hasTestPayments:
      names.some((name) => name === 'ticket_money' || name === 'guarantee_money') &&
      (await hasTestAccount(db, venue.id)),
    weeklyLimit: limit,
    letterWeek: work.me.staff.weeklyLetter ? letterWeekOf(asked, today) : undefined,
    openMore: advises
      ? await openMorePart(work, rules, {
          ...{ today, days: asked, shownPeriod: queryOf(asked) },
          isFullWeekly: limit?.advised !== undefined,
        })
      : undefined,
  })
  return { asked, shown }
}
