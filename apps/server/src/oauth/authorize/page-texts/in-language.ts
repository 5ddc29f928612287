import type { Language } from '@parley/texts/languages'
import { arabic } from './arabic.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { hindi } from './hindi.ts'
import type { PageTexts } from './page-texts.ts'

const texts: Record<Language, PageTexts> = { en: english, de: german, hi: hindi, ar: arabic }

export const pageTexts = (language: Language): PageTexts => texts[language]
