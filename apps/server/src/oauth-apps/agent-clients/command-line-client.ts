import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { makeStaticFile, sendStaticFile } from '../../platform/http/static-file.ts'
import { type FetchDocument, readDocument } from './fetch-document.ts'

/*
 * The service's own command line (packages/command-line) is a client whose document is the service's own. It needs no
 * review: the operator chose it with the service. It is public, and its id is no secret.
 */

type Service = Pick<Config, 'baseUrl'>

const path = '/oauth2/command-line.json'

/** A release may change the document: it is read again within the day. */
const documentLifetimeMs = 24 * 60 * 60 * 1000

/** The client id of the command line: the address of its document. */
export const commandLineClientId = ({ baseUrl }: Service): string => `${baseUrl}${path}`

/** What the command line says about itself (draft-ietf-oauth-client-id-metadata-document, 4). */
const documentOf = (service: Service) =>
  JSON.stringify({
    client_id: commandLineClientId(service),
    client_name: 'Parley command line',
    // With any port: the program listens where one is free (RFC 8252, 7.3).
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
    scope: 'user:read meeting:create meeting:delete meeting:read meeting:update',
  })

/** Serve the document, which says where the program may be sent. */
export function serveCommandLineClient(http: FastifyInstance, service: Service): void {
  const file = makeStaticFile(Buffer.from(documentOf(service)), 'application/json', 'no-cache')
  http.get(path, (request, reply) => sendStaticFile(request, reply, file))
}

/** Fetch documents, except the service's own, which in many networks is at an address that no request may reach. */
export const withOwnDocument =
  (service: Service, fetchDocument: FetchDocument): FetchDocument =>
  async (url, etag) =>
    url === commandLineClientId(service)
      ? readDocument(url, documentOf(service), { etag: null, lifetimeMs: documentLifetimeMs })
      : fetchDocument(url, etag)
