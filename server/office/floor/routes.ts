import type { VenuePage } from '../frame/serve-page.ts'
import { choose, pickTable } from './choose.ts'

/** Where parties sit, where tables decide. */
export const floorPages: readonly VenuePage[] = [
  { method: 'GET', path: '/office/bookings/:id/table', role: 'host', answer: pickTable },
  { method: 'POST', path: '/office/bookings/:id/table', role: 'host', answer: choose },
]
