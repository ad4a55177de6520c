import type { GuestLanguage } from '../../platform/kernel/guest-language.ts'
import { de } from './de.ts'
import { type Words, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'

/** A sentence that is missing in a language does not compile. */
const all: Readonly<Record<GuestLanguage, Words>> = { en, es, fr, de, it, pt, nl, ja }

export const wordsIn = (language: GuestLanguage): Words => all[language]
