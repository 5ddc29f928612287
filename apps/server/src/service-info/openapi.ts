import { openapiDocument } from '@parley/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { makeStaticFile, sendStaticFile } from '../platform/http/static-file.ts'

/** Brief, so that a new version is seen soon; asking again with the tag costs next to nothing. */
const cacheControl = 'public, max-age=60'

/** Serves `/openapi.json`, which cannot change while the process runs. Answers the methods that each path takes. */
export function serveOpenapi(http: FastifyInstance, { baseUrl, version }: { baseUrl: string; version: string }) {
  const text = JSON.stringify(openapiDocument({ baseUrl, version }))
  const file = makeStaticFile(Buffer.from(text), 'application/json; charset=utf-8', cacheControl)
  http.get('/openapi.json', (request, reply) => sendStaticFile(request, reply, file))
  return new Map([['/openapi.json', ['GET']]])
}
