import type { Language } from '@parley/texts/languages'
import { arabic } from './arabic.ts'
import { english } from './english.ts'
import { german } from './german.ts'
import { hindi } from './hindi.ts'
import type { Words } from './words.ts'

const words: Record<Language, Words> = { en: english, de: german, hi: hindi, ar: arabic }

export const wordsIn = (language: Language): Words => words[language]
