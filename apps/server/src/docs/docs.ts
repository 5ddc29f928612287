import { type ProblemCode, readProblem } from '@parley/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { prefersHtml } from '../platform/http/content-negotiation.ts'
import type { Html } from '../platform/http/html.ts'
import { makeStaticFile, type StaticFile, sendStaticFile } from '../platform/http/static-file.ts'
import { type Audience, audiences, type DocPage, docPages } from './doc-pages.ts'
import { type AppExamples, isProblemCode, problemText, readDocText } from './doc-text.ts'
import { docsDocument, docsSecurityPolicy, renderMarkdown } from './docs-document.ts'

/** Register the pages of docs/, and those of problems. */
export function registerDocs(http: FastifyInstance, options: DocsOptions): void {
  serveProblemPages(http)
  serveDocs(http, options)
}

/** Short, so that new versions appear soon; revalidation by ETag is cheap. */
const cacheControl = 'public, max-age=60'
const htmlType = 'text/html; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'
const textType = 'text/plain; charset=utf-8'

type DocsOptions = {
  baseUrl: string
  /** Find the examples of an app; undefined unless the caller is the app's developer. */
  findAppExamples(request: FastifyRequest, appId: string): Promise<AppExamples | undefined>
}

/**
 * Serve the pages of docs/ as HTML and, at the same address with `.md`, as Markdown, and the list of them. Each address is a route of its
 * own, so no part of a request becomes a file name. With `?app=`, an app's developer sees its callback and scopes in
 * the example programs.
 */
function serveDocs(http: FastifyInstance, { baseUrl, findAppExamples }: DocsOptions): void {
  const texts = new Map(docPages.map((page) => [page, readDocText(page, baseUrl)]))
  const serveFile = (path: string, make: (examples?: AppExamples) => StaticFile, showsExamples = false) => {
    let file: StaticFile | undefined
    http.get<{ Querystring: { app?: unknown } }>(path, async (request, reply) => {
      const { app } = request.query
      const examples = showsExamples && typeof app === 'string' ? await findAppExamples(request, app) : undefined
      file ??= make()
      const shown = examples === undefined ? file : make(examples)
      if (examples !== undefined) reply.header('vary', 'cookie')
      if (shown.contentType === htmlType) reply.header('content-security-policy', docsSecurityPolicy)
      return sendStaticFile(request, reply, shown)
    })
  }
  for (const [page, text] of texts) {
    const isOauth = page.name === 'oauth'
    const textFor = (examples?: AppExamples) => (examples === undefined ? text : readDocText(page, baseUrl, examples))
    serveFile(
      `/docs/${page.name}`,
      (examples) => htmlFile(pageDocument(page, textFor(examples)), cachingOf(examples)),
      isOauth,
    )
    serveFile(
      `/docs/${page.name}.md`,
      (examples) => makeStaticFile(Buffer.from(textFor(examples)), markdownType, cachingOf(examples)),
      isOauth,
    )
  }
  serveFile('/docs', () => htmlFile(listDocument(texts)))
  serveFile('/docs/index.md', () => makeStaticFile(Buffer.from(listText(texts)), markdownType, cacheControl))
  serveFile('/llms.txt', () => makeStaticFile(Buffer.from(llmsText(baseUrl)), textType, cacheControl))
  http.get('/docs/', (_request, reply) => reply.redirect('/docs', 308))
}

const htmlFile = (document: Html, caching = cacheControl) =>
  makeStaticFile(Buffer.from(document.markup), htmlType, caching)

/** Pages with the values of an app must not be shared between users. */
const cachingOf = (examples: AppExamples | undefined) => (examples === undefined ? cacheControl : 'private, no-store')

function pageDocument({ name }: DocPage, text: string): Html {
  const { title, headings, body } = renderMarkdown(text)
  return docsDocument({ title, current: name, headings, body })
}

const listTitle = 'Documentation'

const audienceNames: Record<Audience, string> = {
  people: 'For everyone',
  developers: 'For developers',
  operators: 'For operators',
}

type Texts = ReadonlyMap<DocPage, string>

function listDocument(texts: Texts): Html {
  const { headings, body } = renderMarkdown(listText(texts))
  return docsDocument({ title: listTitle, headings, body })
}

/** Write the list of all pages as Markdown. */
function listText(texts: Texts): string {
  const sections = audiences.flatMap((audience) => {
    const pages = [...texts].filter(([page]) => page.audience === audience)
    return pages.length === 0 ? [] : [`## ${audienceNames[audience]}`, ...pages.map(entryText)]
  })
  return [`# ${listTitle}`, ...sections, referenceText, ''].join('\n\n')
}

function entryText([{ name, about }, text]: [DocPage, string]): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  return `### [${title}](${name}.md)\n\n${about}`
}

const referenceText = [
  '## Reference',
  'Every endpoint, to read and to try: [API reference](/reference). The same for programs: [openapi.json](/openapi.json).',
].join('\n\n')

/**
 * Serve the page behind a problem's `type`. Browsers get HTML; programs get the same address as JSON, from the endpoint
 * in the contract. The Accept header decides.
 */
function serveProblemPages(http: FastifyInstance): void {
  const files = new Map<ProblemCode, StaticFile>()
  const fileOf = (code: ProblemCode) => {
    const file = files.get(code) ?? makeProblemFile(code)
    files.set(code, file)
    return file
  }
  http.addHook('preHandler', (request, reply, next) => {
    if (request.routeOptions.url !== readProblem.path || !['GET', 'HEAD'].includes(request.method)) return next()
    reply.header('vary', 'accept, accept-encoding')
    const { code = '' } = Object(request.params) as { code?: string }
    if (!prefersHtml(request.headers) || !isProblemCode(code)) return next()
    reply.header('content-security-policy', docsSecurityPolicy)
    sendStaticFile(request, reply, fileOf(code), ['accept'])
  })
}

function makeProblemFile(code: ProblemCode): StaticFile {
  const { headings, body } = renderMarkdown(problemText(code))
  const document = docsDocument({ title: code, headings: headings.slice(0, 1), body })
  return makeStaticFile(Buffer.from(document.markup), 'text/html; charset=utf-8', cacheControl)
}

/**
 * Where programs that read text begin (https://llmstxt.org): ten lines, without what operators read. Each page is linked
 * as Markdown, with its whole address.
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
