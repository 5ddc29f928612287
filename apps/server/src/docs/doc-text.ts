import { readFileSync } from 'node:fs'
import { fillIn, type OwnValues } from '@parley/rules/doc-examples'
import { isLoopback } from '@parley/rules/oauth/loopback'
import { type DocPage, docPages } from './doc-pages.ts'
import { problemsText } from './problems-text.ts'

/** Values of the reader's own app for the example programs. */
export type AppExamples = { callback: string; scopes: readonly string[] }

const folder = new URL('../../../../docs/', import.meta.url)

/** Read a page's Markdown with this service's address, an app's own values where given, and links that work here. */
export function readDocText(page: DocPage, baseUrl: string, examples?: AppExamples): string {
  if (page.isCatalogue) return problemsText()
  const text = readFileSync(new URL(`${page.name}.md`, folder), 'utf8')
  const own = examples === undefined ? text : withExamples(text, { issuer: baseUrl, ...examples })
  return outsideCode(withOwnAddress(own, baseUrl), withoutForeignLinks)
}

/** The service's address in docs/: in examples to try, and in settings of a service that others reach. */
const localAddress = 'http://localhost:3000'
const publicHost = 'meet.example.org'

/** In place of the host of a service that runs on the reader's own machine, which no proxy or mail server can name. */
const placeholderHost = 'your-domain.example'

/** Replace the addresses of the examples by this service's: a program that was copied calls this service. */
function withOwnAddress(text: string, baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  const host = isLoopback(`http://${hostname}`) ? placeholderHost : hostname
  return text
    .replaceAll(localAddress, () => baseUrl)
    .replaceAll(`https://${publicHost}`, () => (host === placeholderHost ? `https://${host}` : baseUrl))
    .replaceAll(publicHost, () => host)
}

/**
 * Fill an app's issuer, callback and scopes into the example programs; the text about registration stays unchanged.
 */
function withExamples(text: string, values: OwnValues): string {
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
