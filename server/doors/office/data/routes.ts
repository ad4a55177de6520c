import type { Context } from '../../../context.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { exportPages } from '../exports/export.ts'
import { importPages } from '../imports/routes.ts'
import { erasurePages } from '../erasure/erasures.ts'
import { personPages } from '../erasure/person.ts'

/** The owner's data: imports, exports, and one person's data, to hand over or to erase. */
export const dataPages = (context: Context): readonly VenuePage[] => [
  ...importPages(context),
  ...exportPages,
  ...personPages,
  ...erasurePages,
]
