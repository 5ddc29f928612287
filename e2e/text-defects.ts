import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'

const english = join(import.meta.dirname, '../packages/texts/en')

/** Every dotted key of the texts, such as `filter.search`. Keys without a dot could be words. */
export async function keysOfTexts(): Promise<string[]> {
  const keysIn = (texts: object, before = ''): string[] =>
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [before + key] : keysIn(Object(value), `${before}${key}.`),
    )
  const files = await Promise.all(
    globSync('*.json', { cwd: english }).map((file) => readFile(join(english, file), 'utf8')),
  )
  return files.flatMap((file) => keysIn(JSON.parse(file))).filter((key) => key.includes('.'))
}

/** Set the language of a browser's pages from the start. */
export const speak = (context: BrowserContext, language: string) =>
  context.addInitScript((code) => localStorage.setItem('parley-language', code), language)

/** Text on the page that is cut off, overflows, or is a missing text's key. */
export async function violationsOf(page: Page, keys: readonly string[]): Promise<string[]> {
  return page.evaluate((known) => {
    const defects: string[] = []
    const tooWide = document.documentElement.scrollWidth - innerWidth
    if (tooWide > 0) defects.push(`${tooWide} pixels too wide`)
    const names = new Set(known.flatMap((key) => [key, key.replace(/_(one|other)$/, '')]))
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (text === '' || element === null || element.closest('pre, code, script, style') !== null) continue
      if (names.has(text.replace(/^[a-z-]+:/i, ''))) defects.push(`a key: ${text}`)
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isCut = overflowX !== 'visible' && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
      // Ellipses and scrollable text are intended.
      if (isCut && textOverflow !== 'ellipsis' && !['auto', 'scroll'].includes(overflowX)) defects.push(`cut: ${text}`)
    }
    return defects
  }, keys)
}
