import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { limitsRequests, requesterOfCaller } from '../access/request-limits.ts'
import type { Config } from '../platform/config/config.ts'
import { problem } from '../platform/http/problem.ts'
import { createIsInNetworks } from '../platform/network-list.ts'
import { cancelMeeting, changeMeeting } from './change-meeting.ts'
import type { Dependencies } from './dependencies.ts'
import { findTime } from './find-time.ts'
import { createMcpServing } from './mcp-server.ts'
import { respondToInvitation, whoAmI } from './person-tools.ts'
import { getMeeting, joinLink, listMeetings } from './read-meetings.ts'
import { restoreMeeting } from './restore-meeting.ts'
import { proposeMeeting, scheduleMeeting } from './schedule-meeting.ts'
import type { Tool } from './tool.ts'

const mcpPath = '/mcp'

/** In the order in which clients list them: reading before writing. */
const ownTools: readonly Tool[] = [
  whoAmI,
  findTime,
  listMeetings,
  getMeeting,
  joinLink,
  proposeMeeting,
  scheduleMeeting,
  changeMeeting,
  cancelMeeting,
  restoreMeeting,
  respondToInvitation,
]

/**
 * Register the MCP endpoint, for assistants: the Model Context Protocol over Streamable HTTP, with one JSON-RPC message in
 * each POST. GET and DELETE, the sessions of former revisions, are refused as other methods are.
 */
export function registerMcp(dependencies: Dependencies, tools = ownTools): void {
  const { http, config, authenticate, runInTurn } = dependencies
  const requireOwnHost = createRequireOwnHost(config)
  let serving: ReturnType<typeof createMcpServing> | undefined

  /** Load the SDK with the first request (test/source/lazy-packages.test.ts). */
  async function loadServing() {
    serving ??= createMcpServing(dependencies, tools)
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

/** Write the request as the SDK reads it, without the credential. */
function toWebRequest({ headers }: FastifyRequest, baseUrl: string): Request {
  const passed = Object.entries(headers).filter(
    ([name]) => name === 'accept' || name === 'content-type' || name.startsWith('mcp-'),
  )
  const init = { method: 'POST', headers: passed.map(([name, value]): [string, string] => [name, String(value)]) }
  return new Request(`${baseUrl}${mcpPath}`, init)
}

/**
 * Refuse requests that a page of another origin can make a browser send, also to a service in the reader's own network
 * by a name that was made to point there (DNS rebinding): with another `Origin`, or a `Host` that is another name.
 * Programs send no `Origin`. A trusted proxy may have written another `Host`.
 */
function createRequireOwnHost({ baseUrl, trustProxy }: Pick<Config, 'baseUrl' | 'trustProxy'>) {
  const ownName = new URL(baseUrl).hostname
  const isTrusted = createIsInNetworks(trustProxy)
  return ({ headers, socket }: FastifyRequest) => {
    if (headers.origin !== undefined && headers.origin !== baseUrl) throw problem('cross_origin')
    if (headers.host === undefined || isTrusted(socket.remoteAddress ?? '')) return
    const name = nameIn(headers.host)
    const isOwn = name === ownName || name === 'localhost' || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
    if (!isOwn) throw problem('cross_origin', { detail: `This service is at ${baseUrl}, not at the name in Host.` })
  }
}

/** Read the name or address in a Host header, in lower case, without the port. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d*$/, '')
