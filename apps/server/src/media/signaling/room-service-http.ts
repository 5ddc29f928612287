import type { IncomingMessage, ServerResponse } from 'node:http'
import { verifyToken } from '../room/livekit-token.ts'
import { roomServiceMethods } from './room-service.ts'
import type { ServerDependencies } from './server-dependencies.ts'
import { sendTwirpError, TwirpError } from './twirp.ts'

const prefix = '/twirp/livekit.RoomService/'
const maxBodyLength = 256 * 1024

/** Answer a call of LiveKit's RoomService, in JSON or protocol buffers. */
export function serveRoomService(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  dependencies: ServerDependencies,
): void {
  call(request, path, dependencies)
    .then(({ body, type }) => response.writeHead(200, { 'content-type': type }).end(body))
    .catch((error: unknown) => {
      if (error instanceof TwirpError) return sendTwirpError(response, error)
      dependencies.log.error({ err: error }, 'A call of the room service failed')
      sendTwirpError(response, { code: 'internal', message: 'internal error' })
    })
}

async function call(
  request: IncomingMessage,
  path: string,
  dependencies: ServerDependencies,
): Promise<{ body: string | Uint8Array; type: string }> {
  const methods = roomServiceMethods(dependencies)
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : ''
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (found === undefined) throw new TwirpError('bad_route', `no handler for path ${path}`)
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
  if (!isJson && request.headers['content-type'] !== 'application/protobuf') {
    throw new TwirpError('bad_route', 'the content type is neither application/json nor application/protobuf')
  }
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const claims = bearer === undefined ? undefined : verifyToken(bearer, dependencies.apiKey, dependencies.nowMs())
  if (claims === undefined) throw new TwirpError('unauthenticated', 'invalid authorization token')
  const { body } = found(claims, await readBody(request), isJson)
  return { body, type: isJson ? 'application/json' : 'application/protobuf' }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBodyLength) throw new TwirpError('resource_exhausted', 'the request is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
