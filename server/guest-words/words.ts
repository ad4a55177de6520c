import type { GuestLanguage } from '../kernel/guest-language.ts'
import { type Words, en } from './en.ts'
import { es } from './es.ts'

/** A sentence that is missing in a language does not compile. */
const all: Readonly<Record<GuestLanguage, Words>> = { en, es }

export const wordsIn = (language: GuestLanguage): Words => all[language]
