import { type ProblemCode, readProblem } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { prefersHtml } from '../platform/http/negotiation.ts'
import { makeStaticFile, type StaticFile, sendStaticFile } from '../platform/http/static-file.ts'
import { docsDocument, docsSecurityPolicy } from './docs-document.ts'
import { isProblemCode, problemText } from './problems-text.ts'
import { renderMarkdown } from './render-markdown.ts'

const cacheControl = 'public, max-age=60'

/**
 * Serve the page behind a problem's `type`. Browsers get HTML; programs get the same address as JSON, from the endpoint
 * in the contract. The Accept header decides.
 */
export function serveProblemPages(http: FastifyInstance): void {
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
