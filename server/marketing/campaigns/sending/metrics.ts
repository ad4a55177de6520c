import { Counter, Gauge, type Registry } from 'prom-client'
import type { Outcome } from '../../../mail/mailer.ts'
import type { Sending } from './engine.ts'

/** Counts what came of handing mails over, by kind and phase. */
export const countOutcomes = (registry: Registry): ((outcome: Outcome) => void) => {
  const outcomes = new Counter({
    name: 'mail_outcomes_total',
    help: 'Mails handed to the relay, by what came of it: accepted, refused, later, relay-trouble, unknown; and the phase.',
    labelNames: ['kind', 'phase'],
    registers: [registry],
  })
  return (outcome) => outcomes.inc({ kind: outcome.kind, phase: 'phase' in outcome ? outcome.phase : '' })
}

/** Figures of this process. */
export const showSending = (registry: Registry, sending: Sending): void => {
  const own = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  own('mail_on_the_wire', 'Mails of campaigns under way to the relay.', () => sending.counts().onTheWire)
  own('mail_claimed', 'Mails of campaigns that this process will send next.', () => sending.counts().claimed)
  own('mail_campaigns', 'Campaigns that this process has a part in.', () => sending.counts().campaigns)
}
