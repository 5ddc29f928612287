import { readFile } from 'node:fs/promises'
import { type ProblemCode, readProblem } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { prefersHtml } from '../platform/http/content-negotiation.ts'
import { makeStaticFile, type StaticFile, sendStaticFile } from '../platform/http/static-file.ts'
import { type DocPage, docPages, startPage } from './doc-pages.ts'
import { type AppExamples, isProblemCode, problemText, readDocText } from './doc-text.ts'

/** Register the pages of docs/, and those of problems. */
export function registerDocs(http: FastifyInstance, options: DocsOptions): void {
  serveProblemPages(http)
  serveDocs(http, options)
}

/** Short, so that new versions appear soon; revalidation by ETag is cheap. */
const cacheControl = 'public, max-age=300'
/** Pages with the values of an app must not be shared between users. */
const ownCacheControl = 'private, no-store'
const htmlType = 'text/html; charset=utf-8'

/** Loaded with the first page that is read: most starts of the service, those of tests, serve none. */
const loadRenderer = () => import('./docs-document.ts')

type DocsOptions = {
  baseUrl: string
  findAppExamples: FindAppExamples
}
/** Find the examples of an app; undefined unless the caller is the app's developer. */
type FindAppExamples = (request: FastifyRequest, appId: string) => Promise<AppExamples | undefined>
type MakeFile = (examples?: AppExamples) => Promise<StaticFile>

/**
 * Serve the pages of docs/ as HTML and, at the same address with `.md`, as Markdown, and what the search of these pages
 * needs. Each address is a route of its own, so no part of a request becomes a file name. With `?app=`, an app's
 * developer sees its callback and scopes in the example programs.
 */
function serveDocs(http: FastifyInstance, { baseUrl, findAppExamples }: DocsOptions): void {
  const textFile = async (text: string, type: string, caching = cacheControl) =>
    makeStaticFile(Buffer.from(text), `${type}; charset=utf-8`, caching)
  const cachingOf = (examples: AppExamples | undefined) => (examples === undefined ? cacheControl : ownCacheControl)
  const asHtml = (page: DocPage, examples?: AppExamples) =>
    htmlFile(readDocText(page, baseUrl, examples), cachingOf(examples), page.name)
  const asMarkdown = (page: DocPage, examples?: AppExamples) =>
    textFile(readDocText(page, baseUrl, examples), 'text/markdown', cachingOf(examples))

  for (const page of docPages) {
    const findExamples = page.hasPrograms === true ? findAppExamples : undefined
    serveFile(http, `/docs/${page.name}`, (examples) => asHtml(page, examples), findExamples)
    serveFile(http, `/docs/${page.name}.md`, (examples) => asMarkdown(page, examples), findExamples)
  }
  serveFile(http, '/docs', () => asHtml(startPage))
  serveFile(http, '/docs/index.md', () => asMarkdown(startPage))
  serveFile(http, '/llms.txt', () => textFile(llmsText(baseUrl), 'text/plain'))
  serveFile(http, '/docs/search.json', async () => {
    const { searchSections } = await import('./search-sections.ts')
    const texts = new Map([startPage, ...docPages].map((page) => [page, readDocText(page, baseUrl)]))
    return textFile(JSON.stringify(searchSections(texts)), 'application/json')
  })
  for (const [name, file] of scripts) {
    serveFile(http, `/docs/${name}`, async () => textFile(await readFile(file, 'utf8'), 'text/javascript'))
  }
  http.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
}

/** The scripts of the pages, which the browser loads as modules. */
const scripts = [
  ['docs-page.js', new URL('docs-page.js', import.meta.url)],
  ['docs-search.js', new URL('docs-search.js', import.meta.url)],
  ['minisearch.js', new URL(import.meta.resolve('minisearch'))],
] as const

/** Serve a file, which is made when it is first requested. A file with an app's examples is made for each request. */
function serveFile(http: FastifyInstance, path: string, make: MakeFile, findExamples?: FindAppExamples): void {
  let file: Promise<StaticFile> | undefined
  http.get<{ Querystring: { app?: unknown } }>(path, async (request, reply) => {
    const { app } = request.query
    const examples = typeof app === 'string' ? await findExamples?.(request, app) : undefined
    if (examples !== undefined) return sendDoc(request, reply, await make(examples), ['cookie'])
    file ??= make()
    return sendDoc(request, reply, await file)
  })
}

async function sendDoc(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  chosenBy: readonly string[] = [],
) {
  if (file.contentType === htmlType) {
    reply.header('content-security-policy', (await loadRenderer()).docsSecurityPolicy)
  }
  return sendStaticFile(request, reply, file, chosenBy)
}

/** Make a page of its Markdown. `current` is its name in the navigation, if it is there. */
async function htmlFile(text: string, caching = cacheControl, current?: string): Promise<StaticFile> {
  const { docsDocument, renderMarkdown } = await loadRenderer()
  const document = docsDocument({ ...renderMarkdown(text), ...(current !== undefined && { current }) })
  return makeStaticFile(Buffer.from(document.markup), htmlType, caching)
}

/**
 * Serve the page behind a problem's `type`. Browsers get HTML; programs get the same address as JSON, from the endpoint
 * in the contract. The Accept header decides.
 */
function serveProblemPages(http: FastifyInstance): void {
  const files = new Map<ProblemCode, Promise<StaticFile>>()
  // Not an async function: this hook runs before each request of the service.
  http.addHook('preHandler', (request, reply, next) => {
    if (request.routeOptions.url !== readProblem.path || !['GET', 'HEAD'].includes(request.method)) return next()
    reply.header('vary', 'accept, accept-encoding')
    const { code = '' } = Object(request.params) as { code?: string }
    if (!prefersHtml(request.headers) || !isProblemCode(code)) return next()
    const file = files.get(code) ?? htmlFile(problemText(code))
    files.set(code, file)
    file.then((made) => sendDoc(request, reply, made, ['accept'])).catch(next)
  })
}

/**
 * Where programs that read text begin (https://llmstxt.org): a few lines, without what operators read. Each page is
 * linked as Markdown, with its whole address.
 */
function llmsText(baseUrl: string): string {
  const pages = docPages.filter(({ audience }) => audience !== 'operators')
  return [
    '# Parley',
    `> A service for meetings at ${baseUrl}, with an API ([OpenAPI 3.1](${baseUrl}/openapi.json)), OAuth 2.0 for apps, and tools for assistants at ${baseUrl}/mcp.`,
    ...pages.map(({ name, label, about }) => `- [${label}](${baseUrl}/docs/${name}.md): ${about}`),
    '',
  ].join('\n')
}
