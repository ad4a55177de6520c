import { request } from 'undici'
import { Refusal } from '../../platform/kernel/refusal.ts'

const longestMs = 5_000
const mostBytes = 65_536

/**
 * The text at an https address, whose host the caller has checked. No redirects, at most 64 KB, 5 s. A failure is 503,
 * so that the mail service calls again.
 */
export const fetchText = async (address: string): Promise<string> => {
  try {
    const { statusCode, body } = await request(address, { signal: AbortSignal.timeout(longestMs) })
    let text = ''
    for await (const piece of body) {
      text += String(piece)
      if (text.length > mostBytes) break
    }
    if (statusCode === 200 && text.length <= mostBytes) return text
  } catch {
    // Reported below like any other failure.
  }
  throw new Refusal(503, 'What this call was signed with could not be fetched; call again.')
}
