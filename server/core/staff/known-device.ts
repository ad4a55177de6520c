import type { Context } from '../../context.ts'
import { open, seal } from '../../platform/kernel/secrets.ts'

/*
 * Which people have signed in on a browser before: a sealed text that the browser keeps. It lets nobody in. Attempts
 * that come with it have their own allowance, so anybody guessing a person's password from the venue's Wi-Fi, or from
 * everywhere at once, locks out unknown browsers but not the tablet at the door.
 */

export type Device = {
  /** A random name by which attempts from this browser are counted. */
  readonly id: string
  /** Who signed in here, newest first, and on which day since 1970. */
  readonly people: readonly { readonly id: number; readonly day: number }[]
}

/** Days since somebody last signed in there. */
export const deviceDays = 180
/** Enough for a tablet that the whole house shares. */
const mostPeople = 20

type Doing = Pick<Context, 'secrets' | 'random' | 'clock'>

/** The device behind a kept text; undefined if it is missing, forged, or from a ring entry that is gone. */
export const readDevice = (
  { secrets }: Pick<Context, 'secrets'>,
  text: string | undefined,
): Device | undefined => {
  if (text === undefined) return undefined
  try {
    const [id = '', ...people] = open(secrets, text, sealedFor).split(' ')
    return {
      id,
      people: people.map((one) => {
        const [person, day] = one.split(':')
        return { id: Number(person), day: Number(day) }
      }),
    }
  } catch {
    return undefined
  }
}

/** Whether that person signed in there recently enough. */
export const isKnownOn = (device: Device, staffId: number, now: Temporal.Instant): boolean =>
  device.people.some(({ id, day }) => id === staffId && dayOf(now) - day <= deviceDays)

/** The text that a browser keeps from now on, after somebody has signed in. */
export const deviceWith = (
  { secrets, random, clock }: Doing,
  before: Device | undefined,
  staffId: number,
): string => {
  const others = before?.people.filter(({ id }) => id !== staffId) ?? []
  const people = [{ id: staffId, day: dayOf(clock()) }, ...others].slice(0, mostPeople)
  const id = before?.id ?? random(16).toString('base64url')
  const text = [id, ...people.map((one) => `${one.id}:${one.day}`)].join(' ')
  return seal(secrets, text, sealedFor, random(12))
}

const sealedFor = 'known device'

const dayOf = (now: Temporal.Instant): number => Math.floor(now.epochMilliseconds / 86_400_000)
