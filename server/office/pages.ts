import { accountPages } from './account-pages.ts'
import type { OfficePage } from './serve-page.ts'
import { signInPages } from './sign-in-pages.ts'

/** Every page of the office. */
export const officePages: readonly OfficePage[] = [...signInPages, ...accountPages]
