/** Made by vite.config.ts: for each language, its first texts and how to fetch those of the other nouns. */
declare module 'virtual:texts-by-language' {
  import type { ResourceLanguage } from 'i18next'

  type Texts = Record<string, ResourceLanguage>
  type NounImports = Record<string, () => Promise<{ default: ResourceLanguage }>>
  export const textsByLanguage: Record<string, () => Promise<{ textsOfEveryPage: Texts; nouns: NounImports }>>
}
