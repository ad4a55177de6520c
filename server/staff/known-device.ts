import type { Context } from '../context.ts'
import { open, seal } from '../kernel/secrets.ts'

/*
 * Which people have signed in on a browser before: a sealed text that the browser keeps. It lets nobody in. Tries that
 * come with it have an allowance of their own, so whoever guesses a person's password from the venue's Wi-Fi, or from
 * everywhere at once, shuts out browsers that nobody knows and not the tablet at the door.
 */

export type Device = {
  /** A random name: tries from this browser are counted by it. */
  readonly id: string
  /** Who signed in here, newest first, and on which day since 1970. */
  readonly people: readonly { readonly id: number; readonly day: number }[]
}

/** Days after the last time somebody signed in there. */
export const deviceDays = 180
/** A tablet that the whole house shares. */
const mostPeople = 20

type Doing = Pick<Context, 'secrets' | 'random' | 'clock'>

/** The device behind a kept text; undefined for none, a forged one, or one of a ring entry that is gone. */
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

/** Whether that person signed in there, not too long ago. */
export const isKnownOn = (device: Device, staffId: number, now: Temporal.Instant): boolean =>
  device.people.some(({ id, day }) => id === staffId && dayOf(now) - day <= deviceDays)

/** The text to keep from now on, of a browser where somebody has just signed in. */
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
