import type { Finding } from './finding.ts'

const about = 'clock'
/** Receivers refuse signatures that are further away than this. */
const refusedSeconds = 300
const noticedSeconds = 30

/** Compares this machine's clock with the `Date` of an answer that arrived between two of our moments. */
export const clockFinding = (date: string | null, askedAt: number, answeredAt: number): Finding => {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs))
    return { is: 'warning', about, sentence: 'The service does not say what time it has.' }
  // The header has whole seconds, and the answer was written somewhere in between.
  const after = (askedAt - (theirs + 1000)) / 1000
  const before = (theirs - answeredAt) / 1000
  const seconds = Math.round(Math.max(0, after, before))
  if (seconds < noticedSeconds) return { is: 'fine', about, sentence: 'In step with the service.' }
  const sentence = `This machine is ${timeOf(seconds)} ${after > before ? 'ahead of' : 'behind'} the service.`
  const advice =
    seconds < refusedSeconds
      ? 'Set the clock by the network (NTP), before webhooks are refused for it.'
      : 'Webhooks are refused as too old or too new until the clocks agree. Set this one by the network (NTP). A practice instance may have a clock of its own.'
  return { is: seconds < refusedSeconds ? 'warning' : 'problem', about, sentence, advice }
}

const timeOf = (seconds: number): string => {
  if (seconds < 120) return `${seconds} seconds`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`
}
