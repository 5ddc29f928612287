import type { Language } from '@parley/texts/languages'
import { arabic } from './arabic.ts'
import type { AppEmailTexts } from './email-texts.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { hindi } from './hindi.ts'

const texts: Record<Language, AppEmailTexts> = { en: english, de: german, hi: hindi, ar: arabic }

export const appEmailTexts = (language: Language): AppEmailTexts => texts[language]
