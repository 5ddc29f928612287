import { createFetchDocument, documentFetchLimits } from '../../src/oauth-apps/agent-clients/fetch-document.ts'
import { guarded, serveSecurely } from '../loopback-internet.ts'

type Served = { status?: number; headers?: Record<string, string>; body: string }

/** A server of client ID metadata documents at app.test, and the fetch that trusts its certificate. */
export async function serveDocuments() {
  const documents = new Map<string, Served>()
  const requested: string[] = []
  const { port, certificateAuthorities } = await serveSecurely((request, response) => {
    const path = request.url ?? ''
    requested.push(path)
    const { status = 200, headers = {}, body } = documents.get(path) ?? { status: 404, body: '' }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }, 'app.test')
  const host = `app.test:${port}`

  return {
    host,
    /** The paths of the requests so far. */
    requested,
    fetchDocument: createFetchDocument({
      fetch: guarded({ certificateAuthorities, limits: documentFetchLimits }),
      checkHost: async () => undefined,
    }),
    /** Serve a document at a path, and return its URL. */
    publish(path: string, changes: object = {}, headers: Record<string, string> = {}): string {
      const url = `https://${host}${path}`
      documents.set(path, { headers, body: JSON.stringify({ ...assistant, client_id: url, ...changes }) })
      return url
    },
    /** Serve anything else at a path. */
    serve: (path: string, served: Served) => void documents.set(path, served),
  }
}

/** An assistant on the person's own computer. */
const assistant = {
  client_name: 'Assistant',
  redirect_uris: ['http://127.0.0.1/callback', 'https://app.test/callback'],
}
