import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { scopeNames } from '@parley/contract'
import { type ApprovedApp, approvedApp } from '../oauth/approved-app.ts'
import { type Consent, tokensFor } from '../oauth/token-client.ts'
import type { Person } from '../people.ts'
import type { TestApp } from '../start-app.ts'
import { useApp } from '../use-app.ts'

type AssistantOptions = {
  /** `legacy`: a client of the revisions of 2025, which begins with `initialize`. */
  era?: 'modern' | 'legacy'
  /** Answers the questions that are put to the person; absent: the client cannot show any. */
  confirm?: (question: string) => 'yes' | 'no' | 'close'
}

/** The result of a tool: what the program reads, and the sentence for the person. */
type ToolAnswer = {
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on any result
  result: any
  sentence: string
  isError: boolean
}

export type Assistant = {
  client: Client
  call(tool: string, input?: Record<string, unknown>): Promise<ToolAnswer>
  /** Call a tool that must succeed, and return its result. */
  done(tool: string, input?: Record<string, unknown>): Promise<ToolAnswer['result']>
  /** Call a tool that must fail, and return what it says. */
  refused(tool: string, input?: Record<string, unknown>): Promise<string>
}

/** Register an assistant’s app, with all scopes. */
export const assistantApp = (app: TestApp, owner: Person, name = 'Assistant'): Promise<ApprovedApp> =>
  approvedApp(app, owner, { name, scopes: [...scopeNames] })

/** A person’s token for an assistant, for the MCP server. */
export async function assistantToken(
  app: TestApp,
  registered: ApprovedApp,
  person: Person,
  consent: Consent = {},
): Promise<string> {
  const { access_token: token } = await tokensFor(app, registered, person, {
    scopes: [...scopeNames],
    resource: 'mcp',
    ...consent,
  })
  return token
}

/** Connect the official client with a token, over HTTP. */
export async function connectAssistant(
  { base }: Pick<TestApp, 'base'>,
  token: string,
  { era = 'modern', confirm }: AssistantOptions = {},
): Promise<Assistant> {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
      ...(confirm && { capabilities: { elicitation: { form: {} } } }),
    },
  )
  if (confirm !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const answer = confirm(params.message)
      if (answer === 'close') return { action: 'cancel' }
      return { action: 'accept', content: { confirm: answer === 'yes' } }
    })
  }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  after(() => client.close())

  async function call(tool: string, input: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const { content, structuredContent, isError = false } = await client.callTool({ name: tool, arguments: input })
    const [first, second] = content
    assert.ok(first?.type === 'text')
    if (!isError) {
      assert.ok(second?.type === 'text')
      assert.deepEqual(JSON.parse(second.text), structuredContent)
    }
    return { result: structuredContent, sentence: first.text, isError }
  }
  return {
    client,
    call,
    async done(tool, input) {
      const { result, sentence, isError } = await call(tool, input)
      assert.ok(!isError, sentence)
      return result
    },
    async refused(tool, input) {
      const { sentence, isError } = await call(tool, input)
      assert.ok(isError, sentence)
      return sentence
    },
  }
}

/**
 * Start one app for the tests of a file, with the app of an assistant. Each test connects the assistant for its own
 * people.
 */
export async function useAssistant({ environment, ...options }: Parameters<typeof useApp>[0] = {}) {
  const used = await useApp({ ...options, environment: { RATE_LIMITS: 'off', ...environment } })
  const { app, clock, olga, meet } = used
  const registered = await assistantApp(app, olga)
  const tokenFor = (person: Person, consent: Consent = {}) =>
    assistantToken(app, registered, person, { clock, ...consent })
  const connect = async (person: Person, options?: AssistantOptions) =>
    connectAssistant(app, await tokenFor(person), options)
  return {
    ...used,
    registered,
    tokenFor,
    connect,
    /** Meet Alice of Berlin with her assistant, and Bob and Carol, who have none. */
    async meetHost() {
      const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
      await alice.send('PUT', '/api/my_profile', { timeZone: 'Europe/Berlin' })
      return { alice, bob, carol, ofAlice: await connect(alice) }
    },
  }
}

/** Send a message to the MCP endpoint without a client. */
export const postMcp = (
  { base }: Pick<TestApp, 'base'>,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

/** A call of a tool as a client of the revisions of 2025 sends it. */
export const toolCall = (name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})
