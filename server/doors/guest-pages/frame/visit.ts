import type { Context } from '../../../context.ts'
import type { Plan } from '@venue-data/contract/records/account.ts'
import type { GuestFormats } from '../../../messages/guest-words/formats.ts'
import type { Words } from '../../../messages/guest-words/en.ts'
import type { Step } from '../../../data/reports/demand/steps.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { Refusal } from '../../../platform/kernel/refusal.ts'
import type { Framed } from './framed.ts'
import type { Origin } from './origin.ts'
import type { Html } from '../../../platform/html/html.ts'
import type { FormFields } from '../../../platform/http/read-form.ts'
import type { GuestLanguage } from '../../../platform/kernel/guest-language.ts'
import type { KeyRing } from '../../../platform/kernel/secrets.ts'
import type { PrivatePurpose } from '../../../mail/link-token.ts'
import type { GuestDoor, GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { Logo } from '../../../core/venue/logo/logo.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'

/** A guest at one of a venue's pages: all that a page knows. */
export type Visit = {
  readonly venue: VenueRow & { readonly plan: Plan }
  readonly settings: GuestSettings
  readonly logo: Logo | null
  readonly language: GuestLanguage
  readonly words: Words
  readonly formats: GuestFormats
  readonly now: Temporal.Instant
  /** The page's own path, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly form: FormFields
  /** Signs the values in forms. */
  readonly ring: KeyRing
  /** The network address they come from. */
  readonly from: string
  /** Whether search engines may list the page: a door that is on, of a venue that wants to be found. */
  readonly isFound: boolean
  /** A door in a frame of the venue's own site; null: a page of its own. */
  readonly framed: Framed | null
  /** Where they came from. */
  readonly origin: Origin
  /** The same as forms of a door hand it on, so that its last page counts for the link that led to the first. */
  readonly came: (door: GuestDoor | null) => string
  /** A path of these pages in the language that was asked for, and framed where this one is. */
  readonly link: (path: string) => string
  /** The path of a private link. */
  readonly linkTo: (purpose: PrivatePurpose, record: number, issue: number) => string
  /** The service's own address, for links that leave the page. */
  readonly publicUrl: string
}

/** What the venue's own site learns of a booking, an inquiry or a place in line made in its frame: no person and no link. */
export type Booked = {
  readonly door: GuestDoor
  /** Null where none is known: an inquiry may say it in words. */
  readonly partySize: number | null
}

/** What an answer is counted as (count-visits.ts). */
export type Counts = {
  readonly door: GuestDoor
  readonly steps: readonly Step[]
  /** The day and size that a guest chose, if no time of it was open. */
  readonly nothingOn?: { readonly serviceDate: LocalDate; readonly partySize: number } | undefined
}

/** What is counted of an answer besides: its steps, and a table that a rule refused. */
type Noted = { readonly counts?: Counts; readonly refused?: Pick<Refusal, 'table' | 'reason'> }

/** A page. */
export type ShownPage = {
  readonly title: string
  /** The content of `main`: one or two columns, see the stylesheet. */
  readonly body: Html
  /** On `body`: `lone` has no header of its own, `narrow` one column. */
  readonly look?: 'lone' | 'narrow'
  readonly status?: number
  /** Facts for search engines (schema.org). */
  readonly facts?: object
  /** For search engines and those who share the page. */
  readonly description?: string
  /** A picture of its own, by its whole address, for those who share it. */
  readonly picture?: { readonly url: string; readonly alt: string } | undefined
  /** Scripts of this page, by their path. */
  readonly scripts?: readonly string[]
  /** What the guest has just booked, or asked for: in a frame, the site around it learns this much. */
  readonly booked?: Booked
  /** Its form leads to another site: a page on which one pays. */
  readonly leadsOut?: boolean
  /** The page is loaded again after so many seconds, until something is known. */
  readonly refresh?: number
  /** Without script, the page is loaded again after so many seconds. */
  readonly renewsAfter?: number
}

export type GuestAnswer = Noted &
  (
    | ShownPage
    /** See other: after a form, so that a reload does not send it again. */
    | { readonly to: string }
    | { readonly file: string | Buffer; readonly type: string; readonly name: string }
  )

/** An answer that is counted. */
export const counted = <Answer extends GuestAnswer | GuestAnswerLater>(
  answer: Answer,
  door: GuestDoor,
  ...steps: Step[]
): Answer => ({
  ...answer,
  counts: { door, steps },
})

/** What is settled only after the commit, by a call that no transaction may wait for. */
export type GuestAnswerLater = Noted & { readonly after: (context: Context) => Promise<GuestAnswer> }

/** The value of a field, trimmed; '' when it was not sent. */
export const typed = ({ form }: Pick<Visit, 'form'>, name: string): string =>
  (form.get(name)?.[0] ?? '').replaceAll('\r\n', '\n').trim()

/** `/v/the-blue-door/book`. */
export const doorPath = (venue: Pick<VenueRow, 'slug'>, door?: GuestDoor): string =>
  door === undefined ? `/v/${venue.slug}` : `/v/${venue.slug}/${door}`
