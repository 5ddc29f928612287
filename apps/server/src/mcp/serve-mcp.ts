import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticate } from '../access/authenticate.ts'
import { limitsRequests, type RunInTurn, requesterOfCaller } from '../access/request-limits.ts'
import { problem } from '../platform/http/problem.ts'
import { createMcpServing, type McpDependencies } from './mcp-server.ts'
import { createRequireOwnHost } from './own-host.ts'
import type { Tool } from './tool.ts'

const mcpPath = '/mcp'

export type McpService = McpDependencies & {
  http: FastifyInstance
  authenticate: Authenticate
  runInTurn: RunInTurn
}

/**
 * Serve the Model Context Protocol over Streamable HTTP: one JSON-RPC message in each POST. GET and DELETE, the
 * sessions of former revisions, are refused as other methods are.
 */
export function serveMcp(service: McpService, tools: readonly Tool[]): void {
  const { http, config, authenticate, runInTurn } = service
  const requireOwnHost = createRequireOwnHost(config)
  let serving: ReturnType<typeof createMcpServing> | undefined

  /** Load the SDK with the first request (docs/decisions/0106). */
  async function loadServing() {
    serving ??= createMcpServing(service, tools)
    return serving.catch((error) => {
      serving = undefined
      throw error
    })
  }

  http.post(mcpPath, limitsRequests, async (request, reply) => {
    requireOwnHost(request)
    const caller = await authenticate(request, 'mcp')
    // JSON-RPC batches, which revision 2025-06-18 removed, would be many requests under the limits of one.
    if (Array.isArray(request.body)) throw problem('malformed_request', { detail: 'Send one message, not a batch.' })
    const answer = await loadServing()
    // A tool calls several endpoints, lists among them.
    const { response, body } = await runInTurn(request, requesterOfCaller(caller), 'heavy', async () => {
      const response = await answer({ caller, request }, toWebRequest(request, config.baseUrl), request.body)
      // Tools may run until the end of the body.
      return { response, body: Buffer.from(await response.arrayBuffer()) }
    })
    if (response.status === 403) reply.errorCode = 'insufficient_scope'
    for (const name of answeredHeaders) {
      const value = response.headers.get(name)
      if (value !== null) reply.header(name, value)
    }
    return reply.status(response.status).send(body)
  })
}

/** The other headers of the SDK's responses belong to its own connection. */
const answeredHeaders = ['content-type', 'www-authenticate', 'x-accel-buffering']

/** The request as the SDK reads it, without the credential. */
function toWebRequest({ headers }: FastifyRequest, baseUrl: string): Request {
  const passed = Object.entries(headers).filter(
    ([name]) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-'),
  )
  const init = { method: 'POST', headers: passed.map(([name, value]): [string, string] => [name, String(value)]) }
  return new Request(`${baseUrl}${mcpPath}`, init)
}
