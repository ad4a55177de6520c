import type { Context } from '../../context.ts'
import type { VenuePage } from '../serve-page.ts'
import { exportPages } from './export-pages.ts'
import { importPages } from './import-pages.ts'
import { personPages } from './person-pages.ts'

/** The owner's data: in, out, and one person's, to hand over or to erase. */
export const dataPages = (context: Context): readonly VenuePage[] => [
  ...importPages(context),
  ...exportPages,
  ...personPages,
]
