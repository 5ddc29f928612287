import { readFileSync } from 'node:fs'
import { fillIn, type OwnValues } from '@parley/rules/doc-examples'
import { type DocPage, docPages, exampleAddress } from './doc-pages.ts'
import { problemsText } from './problems-text.ts'

const folder = new URL('../../../../docs/', import.meta.url)

/** Read a page's Markdown, with this service's address and with links that work here. */
export function readDocText({ name, showsOwnAddress, isCatalogue }: DocPage, baseUrl: string): string {
  if (isCatalogue) return problemsText()
  const text = readFileSync(new URL(`${name}.md`, folder), 'utf8')
  const addressed = showsOwnAddress ? text.replaceAll(exampleAddress, baseUrl) : text
  return outsideCode(addressed, withoutForeignLinks)
}

/**
 * Fill an app's issuer, callback and scopes into the example programs; the text about registration stays unchanged.
 */
export function withExamples(text: string, values: OwnValues): string {
  const [before = '', ...programs] = text.split(/^(?=## Quick start)/m)
  const note = '*The programs below show the callback and the scopes of your app.*\n\n'
  return before + (programs.length === 0 ? '' : note) + programs.map((program) => fillIn(program, values)).join('')
}

const fence = /^(```[\s\S]*?^```$)/m

/** Code stays unchanged: it contains no links. */
const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(fence)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('')

/** Replace links to files that are not served, such as decisions, by their text. */
const withoutForeignLinks = (text: string): string =>
  text.replaceAll(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (link, words: string, target: string) =>
    isServed(target) ? link : words,
  )

function isServed(target: string): boolean {
  if (/^(https?:|mailto:|#|\/)/.test(target)) return true
  const [file = ''] = target.split('#', 1)
  return docPages.some(({ name }) => file === `${name}.md`)
}
