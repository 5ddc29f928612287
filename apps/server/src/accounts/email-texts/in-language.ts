import type { Language } from '@parley/texts/languages'
import { arabic } from './arabic.ts'
import type { AccountEmailTexts } from './email-texts.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { hindi } from './hindi.ts'

const texts: Record<Language, AccountEmailTexts> = { en: english, de: german, hi: hindi, ar: arabic }

export const accountEmailTexts = (language: Language): AccountEmailTexts => texts[language]
