import { readFileSync } from 'node:fs'
import { fillIn, type OwnValues } from '@parley/rules/doc-examples'
import { type DocPage, docPages, exampleAddress } from './doc-pages.ts'
import { problemsText } from './problems-text.ts'

const folder = new URL('../../../../docs/', import.meta.url)

/** The Markdown of a page as this service shows it: with its own address, and with links that lead somewhere here. */
export function readDocText({ name, showsOwnAddress, isCatalogue }: DocPage, baseUrl: string): string {
  if (isCatalogue) return problemsText()
  const text = readFileSync(new URL(`${name}.md`, folder), 'utf8')
  const addressed = showsOwnAddress ? text.replaceAll(exampleAddress, baseUrl) : text
  return outsideCode(addressed, withoutForeignLinks)
}

/** Its programs with the issuer, callback and scopes of an app; what is said of registering one stays as it is. */
export function withExamples(text: string, values: OwnValues): string {
  const [before = '', ...programs] = text.split(/^(?=## Quick start)/m)
  const note = '*The programs below show the callback and the scopes of your app.*\n\n'
  return before + (programs.length === 0 ? '' : note) + programs.map((program) => fillIn(program, values)).join('')
}

const fence = /^(```[\s\S]*?^```$)/m

/** Code stays as it is: what looks like a link there is none. */
const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(fence)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('')

/** A link to a file that is not served, such as a decision, becomes its own text. */
const withoutForeignLinks = (text: string): string =>
  text.replaceAll(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (link, words: string, target: string) =>
    isServed(target) ? link : words,
  )

function isServed(target: string): boolean {
  if (/^(https?:|mailto:|#|\/)/.test(target)) return true
  const [file = ''] = target.split('#', 1)
  return docPages.some(({ name }) => file === `${name}.md`)
}
