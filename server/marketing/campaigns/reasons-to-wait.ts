/*
 * What keeps a campaign that is due from going out, other than the relay. `last_error` of the campaign has the name of one
 * of these, or a sentence about the relay or about who was missed; people and the API get the sentence.
 */

const waits = {
  'venue-paused': {
    sentence: 'The venue is paused; sending resumes when the pause ends.',
    missed: 'the venue was paused',
  },
  restored: {
    sentence:
      'The service was restored from a backup, or moved, and sending is on hold. It resumes when whoever runs the service ends the hold.',
    missed: 'sending was on hold after a restore',
  },
  'sender-unconfirmed': {
    sentence:
      'The venue’s sender has changed and is not confirmed yet. Confirm it under Settings, Venue; sending resumes within a quarter of an hour.',
    missed: "the venue's sender was not confirmed",
  },
} as const satisfies Record<string, { readonly sentence: string; readonly missed: string }>

export type Wait = keyof typeof waits

const isWait = (lastError: string): lastError is Wait => Object.hasOwn(waits, lastError)

/** What went wrong last, in a sentence; empty where nothing did. */
export const errorSentence = ({ last_error }: { readonly last_error: string }): string =>
  isWait(last_error) ? waits[last_error].sentence : last_error

/** Why a campaign that was due never began, by what held it last; where nothing did, nobody looked. */
export const whyMissed = (lastError: string): string =>
  isWait(lastError) ? waits[lastError].missed : 'the service was not running'
