import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { makeStaticFile } from '../platform/http/static-file.ts'

/** The address of the script contains the version: the content never changes. */
const cacheControl = 'public, max-age=31536000, immutable'

// The browser script is inside the package's plugin, which serves it under this name.
const http = Fastify()
await http.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } })
const answer = await http.inject('/js/scalar.js')
if (answer.statusCode !== 200) throw new Error(`Scalar's script is not where it was: ${answer.statusCode}`)
parentPort?.postMessage(makeStaticFile(answer.rawPayload, 'text/javascript; charset=utf-8', cacheControl))
