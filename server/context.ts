import type { Logger } from 'pino'
import type { Usage } from './integrations/access/usage.ts'
import type { Demand } from './data/reports/demand/demand.ts'
import type { Config } from './config.ts'
import type { Database, VenueQueries } from './platform/db/pool.ts'
import type { Room } from './platform/db/room.ts'
import type { SendingHold } from './platform/db/sending-hold.ts'
import type { Bell } from './platform/kernel/running/bell.ts'
import type { KeyRing } from './platform/kernel/secrets.ts'
import type { LookUpTexts } from './mail/look-up-texts.ts'
import type { Processors } from './core/money/processor.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Sender } from './integrations/webhooks/sending/sender.ts'
import type { Venue } from './core/venue/venue.ts'

/** What the process owns. Doors and jobs know it; actions do not. */
export type Context = {
  readonly db: Database
  /** The same database for background work, which may not take the connections requests wait for. */
  readonly workerDb: Database
  /** Whether the database has room to write. */
  readonly room: Room
  readonly config: Config
  readonly secrets: KeyRing
  readonly log: Logger
  /** The service's clock, in whole milliseconds; a practice instance may have started it elsewhere. */
  readonly clock: () => Temporal.Instant
  /** That many bytes of the system's random source. */
  readonly random: (size: number) => Buffer
  /** Sends what goes to other people's servers, through the walls of integrations/webhooks/sending/sender.ts. */
  readonly sender: Sender
  /** Moves money at the processor of payments, with a venue's own key. */
  readonly processors: Processors
  /** Hands mail to the relay of SMTP_URL, or writes it to files. */
  readonly mail: Mailer
  /** Asks the DNS for the texts at a name, such as those that say who may send mail for a domain; kept for some minutes. */
  readonly lookUpTexts: LookUpTexts
  /** Rung after a commit that may have left work, so that the engine of this process need not wait for its next look. */
  readonly bell: Bell
  /** Rung when the processor of payments has called, so that who paid does not wait for the next round. */
  readonly paidBell: Bell
  /** Counts how much keys are used. */
  readonly usage: Usage
  /** Counts what booking rules refused and which pages guests were shown. */
  readonly demand: Demand
  /** Whether what nobody asks for at this moment may be sent: not on a restored copy, until the operator says so. */
  readonly hold: SendingHold
}

/** One unit of work: all that an action gets. `now` reads the clock every time, since waiting for a lock takes time. */
export type Work = {
  /** Of this venue: `queries.within(venue.id)`. */
  readonly db: VenueQueries
  readonly venue: Venue
  readonly now: () => Temporal.Instant
  /**
   * For bulk work: the earliest send time for its next event, called once per event. Absent: at once. Live events go
   * first, so an import does not hold up the evening's bookings.
   */
  readonly earliestSend?: () => Temporal.Instant
}
