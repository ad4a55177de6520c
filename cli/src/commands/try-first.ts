import type { VenueData } from '@venue-data/sdk'
import type { Action } from '../action.ts'
import { type Line, has } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { paint } from '../print/paint.ts'
import { printable } from '../print/printable.ts'
import { table } from '../print/table.ts'
import type { World } from '../world.ts'

type Asked = NonNullable<Parameters<VenueData['call']>[1]>

/** Says what a call would do, without doing it. */
export const tryFirst = async (
  { method = 'POST', path }: Action,
  { path: ids = [], query = {}, body, ifMatch, signal }: Asked,
  venue: VenueData,
  { out }: World,
  line: Line,
): Promise<ExitCode> => {
  let at = 0
  const place = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids[at++] ?? ''))
  const words = new URLSearchParams(query as Record<string, string>).toString()
  const tried = await venue.dryRun(
    {
      method,
      path: `${place}${words && `?${words}`}`,
      ...(body !== undefined && { body: body as Record<string, unknown> }),
    },
    { ...(ifMatch !== undefined && { ifMatch }), signal },
  )
  const { wouldAnswer, events, changes } = tried
  const wouldDo = wouldAnswer.status < 400
  if (has(line, 'json')) out.write(`${JSON.stringify(tried)}\n`)
  else {
    const { error } = wouldAnswer.body
    const verdict = wouldDo
      ? paint(out, 'green', `This would be done (${wouldAnswer.status}).`)
      : paint(out, 'red', `This would be refused (${wouldAnswer.status}).`)
    out.write(`${verdict}${typeof error === 'string' ? ` ${printable(error)}` : ''}\n`)
    for (const { event } of events) out.write(`event   ${printable(event)}\n`)
    if (changes.length > 0) out.write(table(changes, out))
  }
  return wouldDo ? exitCodes.ok : exitCodes.refused
}
