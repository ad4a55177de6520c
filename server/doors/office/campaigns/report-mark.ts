import type { CampaignRow } from '../../../marketing/campaigns/reads.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'

/*
 * A report that refreshes itself asks with what it showed: a mark of the figures, how many were sent, and when.
 * The mark saves an answer while nothing has changed; the other two give the speed since then.
 */

export type Look = { readonly mark: string; readonly sent: number; readonly at: number }

/** Identifies exactly these figures. The end of a hold changes them, too. */
export const markOf = (row: CampaignRow, now: Temporal.Instant): string => {
  const held =
    row.send_hold_until !== null && Temporal.Instant.compare(toInstant(row.send_hold_until), now) > 0
  return [
    row.version,
    row.row_count,
    row.sent_count,
    row.failed_count,
    row.skipped_count,
    row.status.length,
    row.last_error.length,
    row.send_hold_until === null ? 0 : toInstant(row.send_hold_until).epochMilliseconds,
    held ? 1 : 0,
  ].join('-')
}

export const lookOf = (row: CampaignRow, now: Temporal.Instant): string =>
  `${markOf(row, now)}_${row.sent_count}_${now.epochMilliseconds}`

export const readLook = (text: string | null): Look | undefined => {
  const [, mark, sent, at] = /^([\d-]{1,120})_(\d{1,10})_(\d{1,15})$/.exec(text ?? '') ?? []
  return mark === undefined ? undefined : { mark, sent: Number(sent), at: Number(at) }
}

/** Emails per minute since the last look, or else since it started; undefined until either says something. */
export const perMinute = (
  row: CampaignRow,
  now: Temporal.Instant,
  last: Look | undefined,
): number | undefined => {
  const since =
    last && now.epochMilliseconds - last.at >= 1_000 && row.sent_count >= last.sent
      ? last
      : row.started_at === null
        ? undefined
        : { sent: 0, at: toInstant(row.started_at).epochMilliseconds }
  const passedMs = since === undefined ? 0 : now.epochMilliseconds - since.at
  if (since === undefined || passedMs < 1_000) return undefined
  return Math.round(((row.sent_count - since.sent) / passedMs) * 60_000)
}
