import { openapiDocument } from '@parley/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { makeStaticFile, sendStaticFile } from '../platform/http/static-file.ts'

/** Short, so that new versions appear soon; revalidation by ETag is cheap. */
const cacheControl = 'public, max-age=60'

/** Serve `/openapi.json`, which is constant while the process runs. */
export function serveOpenapi(http: FastifyInstance, { baseUrl, version }: { baseUrl: string; version: string }): void {
  const text = JSON.stringify(openapiDocument({ baseUrl, version }))
  const file = makeStaticFile(Buffer.from(text), 'application/json; charset=utf-8', cacheControl)
  http.get('/openapi.json', (request, reply) => sendStaticFile(request, reply, file))
}
