import { openapiDocument } from '@parley/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { makeStaticFile, type StaticFile, sendStaticFile } from '../platform/http/static-file.ts'

/** Short, so that new versions appear soon; revalidation by ETag is cheap. */
const cacheControl = 'public, max-age=60'

/** Serve `/openapi.json`, which is made for its first reader, and constant while the process runs. */
export function serveOpenapi(http: FastifyInstance, { baseUrl, version }: { baseUrl: string; version: string }): void {
  let file: StaticFile | undefined
  const makeFile = () => {
    const text = JSON.stringify(openapiDocument({ baseUrl, version }))
    return makeStaticFile(Buffer.from(text), 'application/json; charset=utf-8', cacheControl)
  }
  http.get('/openapi.json', (request, reply) => {
    file ??= makeFile()
    return sendStaticFile(request, reply, file)
  })
}
