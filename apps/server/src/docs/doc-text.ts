import { readFileSync } from 'node:fs'
import { type Endpoint, endpoints, type ProblemCode, problems } from '@parley/contract'
import { problemAdvice } from '@parley/contract/problem-advice'
import { isLoopback } from '@parley/rules/oauth/loopback'
import { fillIn, type OwnValues } from '@parley/rules/oauth-apps/example-programs'
import { type DocPage, docPages, startPage } from './doc-pages.ts'

/** Values of the reader's own app for the example programs. */
export type AppExamples = { callback: string; scopes: readonly string[] }

const folder = new URL('../../../../docs/', import.meta.url)

/** Read a page's Markdown with this service's address, an app's own values where given, and links that work here. */
export function readDocText(page: DocPage, baseUrl: string, examples?: AppExamples): string {
  if (page.isCatalogue) return problemsText()
  const text = readFileSync(new URL(page.file ?? `${page.name}.md`, folder), 'utf8').replaceAll('](docs/', '](')
  const own = examples === undefined ? text : withExamples(text, { issuer: baseUrl, ...examples })
  return outsideCode(withOwnAddress(own, baseUrl), (part) => withoutForeignLinks(withoutComments(part)))
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

/** Remove comments, which are for people who change the page. */
const withoutComments = (text: string): string => text.replaceAll(/^<!-- .* -->\n/gm, '')

/** Replace links to files that are not served, such as decisions, by their text. */
const withoutForeignLinks = (text: string): string =>
  text.replaceAll(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (link, words: string, target: string) =>
    isServed(target) ? link : words,
  )

function isServed(target: string): boolean {
  if (/^(https?:|mailto:|#|\/)/.test(target)) return true
  const [file = ''] = target.split('#', 1)
  return [startPage, ...docPages].some(({ name }) => file === `${name}.md`)
}

const codes = Object.keys(problems) as ProblemCode[]
export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problems, code)

/** Write all problems as Markdown, grouped by status. */
function problemsText(): string {
  const byStatus = [...Map.groupBy(codes, (code) => problems[code].status)]
  const sections = byStatus.map(([status, some]) =>
    [`## ${status} ${statusNames[status] ?? ''}`.trimEnd(), ...some.map(entryText)].join('\n\n'),
  )
  return [`# Problem codes`, introduction, ...sections, ''].join('\n\n')
}

const introduction =
  'Every error of the API is `application/problem+json` (RFC 9457). Its `code` is stable: a program decides by it, and never ' +
  'by the sentences. Its `type` is the address of the page about the code. What all errors have in common is in the ' +
  '[API conventions](api-conventions.md#errors-and-codes-of-fields); those of the token address are [OAuth’s own](oauth-reference.md#errors).'

const entryText = (code: ProblemCode) =>
  `### [${code}](/problems/${code})\n\n${problems[code].title} ${problemAdvice[code]}`

/** Write the page of one problem as Markdown. */
export function problemText(code: ProblemCode): string {
  const { status, title } = problems[code]
  const answering = endpoints.filter((endpoint) => endpoint.problems.includes(code)).map(addressOf)
  return [
    `# ${code}`,
    `**HTTP status ${status}${statusNames[status] === undefined ? '' : ` ${statusNames[status]}`}**`,
    '## What it means',
    title,
    '## What to do',
    problemAdvice[code],
    '## Where it occurs',
    answering.length === 0 ? 'Any address of the service.' : answering.join('\n'),
    '`detail` in the answer says more about the case at hand, and `requestId` finds the request in the log of the service.',
    '[All problem codes](/docs/problems)',
    '',
  ].join('\n\n')
}

const addressOf = ({ method, path }: Endpoint) => `- \`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``

/** RFC 9110, 15, and RFC 6585. */
const statusNames: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
