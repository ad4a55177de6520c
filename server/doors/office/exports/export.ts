import { Readable } from 'node:stream'
import { exportKinds } from '../../../data/exports/kinds.ts'
import { csvOf, everythingOf } from '../../../data/exports/export.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { home } from '../data/overview.ts'

/** All of the venue's records as files, streamed as they are read. For the owner. */
export const exportPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/export/everything.json`,
    role: 'owner',
    answer: async (work) => ({
      kind: 'file',
      name: `${fileStem(work)}-everything.json`,
      type: 'application/json; charset=utf-8',
      body: Readable.from(everythingOf(work)),
    }),
  },
  {
    method: 'GET',
    path: `${home}/export/:file`,
    role: 'owner',
    answer: async (work, { params }) => {
      const kind = exportKinds.find(({ name }) => `${name}.csv` === params.file)
      if (!kind) throw notFound('export')
      return {
        kind: 'file',
        name: `${fileStem(work)}-${kind.name}.csv`,
        type: 'text/csv; charset=utf-8',
        body: Readable.from(csvOf(work, kind)),
      }
    },
  },
]

/** "blue-door-2026-10-06". */
const fileStem = ({ venue, now }: OfficeWork): string =>
  `${venue.slug}-${wallTimeOf(now(), venue.timezone).date}`
