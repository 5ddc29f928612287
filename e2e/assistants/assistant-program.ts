import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'

/** What the service has answered to a request of the program. */
type Sent = { method: string; path: string; status: number; challenge: string }

type ProgramOptions = {
  /** The address of the service's MCP server: all that the program knows of it. */
  address: string
  /** From the developers' portal, or the URL of the program's own document. */
  client: { clientId: string } | { clientMetadataUrl: string }
  /** The person's browser. */
  page: Page
}

// biome-ignore lint/suspicious/noExplicitAny: a story asserts on any result
type Result = any

/**
 * An assistant on a person's computer: the official client with its own authorization. It opens the person's browser
 * when the service asks for consent, and listens on a loopback port for the browser to come back.
 */
export async function startAssistantProgram({ address, client: identity, page }: ProgramOptions) {
  let comeBack: (answer: URLSearchParams) => void = () => undefined
  let giveUp: () => void = () => undefined
  const listener = createServer((request, response) => {
    const html = '<!doctype html><title>Assistant</title><h1>You can close this page.</h1>'
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    const { pathname, searchParams } = new URL(request.url ?? '', redirectUrl)
    // A browser also asks for an icon.
    if (pathname === '/callback') comeBack(searchParams)
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  after(() => {
    listener.close()
    listener.closeAllConnections()
  })
  const redirectUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`

  const sent: Sent[] = []
  const opened: URL[] = []
  const kept: {
    client?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens | undefined
    verifier?: string
    state?: string
    discovery?: OAuthDiscoveryState
  } = {}
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    ...('clientMetadataUrl' in identity
      ? {
          clientMetadataUrl: identity.clientMetadataUrl,
          clientInformation: () => kept.client,
          saveClientInformation(information: StoredOAuthClientInformation) {
            kept.client = information
          },
        }
      : { clientInformation: () => ({ client_id: identity.clientId }) }),
    state() {
      kept.state = crypto.randomUUID()
      return kept.state
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    codeVerifier: () => kept.verifier ?? '',
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState(discovery) {
      kept.discovery = discovery
    },
    invalidateCredentials(scope) {
      if (scope === 'tokens' || scope === 'all') kept.tokens = undefined
    },
    redirectToAuthorization: (url) => void opened.push(url),
  }
  async function recordingFetch(url: string | URL, init?: RequestInit) {
    const response = await fetch(url, init)
    const { pathname: path } = new URL(url)
    const challenge = response.headers.get('www-authenticate') ?? ''
    sent.push({ method: init?.method ?? 'GET', path, status: response.status, challenge })
    return response
  }
  const options = { authProvider: provider, fetch: recordingFetch }
  let transport = new StreamableHTTPClientTransport(new URL(address), options)
  const client = new Client({ name: 'assistant', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  after(() => client.close())

  /** Open the browser at the page that the client asks for, and wait until it comes back. */
  async function askPerson(): Promise<void> {
    const coming = new Promise<URLSearchParams>((resolve, reject) => {
      comeBack = resolve
      giveUp = () => reject(new Error('The person gave up.'))
    })
    await page.goto(opened.at(-1)?.href ?? '')
    const searchParams = await coming
    // The program's next address would interrupt a page that still loads.
    await page.getByRole('heading', { name: 'You can close this page.' }).waitFor()
    if (searchParams.get('state') !== kept.state) throw new Error('This answer belongs to another request.')
    await transport.finishAuth(searchParams)
  }

  /** Do what the person may have to allow first; once, because a program that asks again and again is a nuisance. */
  async function withConsent<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
    }
    await askPerson()
    return work()
  }

  const callTool = (tool: string, input: Record<string, unknown>) => client.callTool({ name: tool, arguments: input })
  const read = ({ content, structuredContent, isError = false }: Awaited<ReturnType<typeof callTool>>) => ({
    result: structuredContent as Result,
    sentence: content[0]?.type === 'text' ? content[0].text : '',
    isError,
  })
  return {
    /** Every request so far, those for tokens included. */
    sent,
    /** Every address that the person was asked to open. */
    opened,
    /** What the authorization server has issued. */
    tokens: () => kept.tokens,
    connect: () =>
      withConsent(() => {
        transport = new StreamableHTTPClientTransport(new URL(address), options)
        return client.connect(transport)
      }),
    /** Wait no longer for the browser. */
    giveUp: () => giveUp(),
    /** Call a tool, and ask the person when it takes more than they have allowed. */
    call: async (tool: string, input: Record<string, unknown> = {}) =>
      read(await withConsent(() => callTool(tool, input))),
    /** Call a tool, without asking for a consent. */
    callOnce: async (tool: string, input: Record<string, unknown> = {}) => read(await callTool(tool, input)),
  }
}
