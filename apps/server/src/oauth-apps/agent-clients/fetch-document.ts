import { type Scope, scopeNames } from '@parley/contract'
import { type ClientMetadata, readClientMetadata } from '@parley/rules/oauth-apps/client-metadata'
import { documentLifetimeMs } from '@parley/rules/oauth-apps/document-lifetime'
import { readJsonObject } from '@parley/rules/text/json-object'
import type { Config } from '../../platform/config/config.ts'
import { FetchRefused } from '../../platform/outbound/fetch-refused.ts'
import { createGuardedFetch, type Fetched, type GuardedFetch } from '../../platform/outbound/guarded-fetch.ts'
import { createBlocklistChecker, type HostChecker, readBlocklist } from '../page-checks.ts'

type DocumentFetch =
  | {
      kind: 'fetched'
      metadata: ClientMetadata<Scope>
      /** The document as served, for the reviewer. */
      body: string
      etag: string | null
      lifetimeMs: number
    }
  /** The server says that the copy with this entity tag is current. */
  | { kind: 'unchanged'; lifetimeMs: number }
  /** `cause` is an English sentence that reveals nothing about our network. */
  | { kind: 'refused'; cause: string }

/** Fetch a document. `url` has been read by `readClientIdUrl`; `etag` is that of the stored copy. */
export type FetchDocument = (url: string, etag?: string | null) => Promise<DocumentFetch>

/**
 * The size that the draft recommends (draft-ietf-oauth-client-id-metadata-document, 8.7), and the time that a person
 * waits for a page. No redirect: the document has to be at the address that names the client.
 */
export const documentFetchLimits = { timeMs: 5_000, redirects: 0, bodyBytes: 5 * 1024 }

/** More than any server sends. A longer entity tag is not stored. */
const maxEtagLength = 200

/** The ports that `readClientIdUrl` allows. */
const isDocumentPort = (port: number) => port === 443 || port >= 1_024

export const defaultDocumentFetch = ({ baseUrl }: Pick<Config, 'baseUrl'>): FetchDocument =>
  createFetchDocument({
    fetch: createGuardedFetch({ baseUrl, limits: documentFetchLimits, isAllowedPort: isDocumentPort }),
    checkHost: createBlocklistChecker(readBlocklist()),
  })

/**
 * Create the function that fetches and reads client ID metadata documents. A problem of the document or of its server is
 * a result, not an error.
 */
export function createFetchDocument({
  fetch,
  checkHost,
}: {
  fetch: GuardedFetch
  checkHost: HostChecker
}): FetchDocument {
  const isDeniedHost = async (host: string) => (await checkHost(host, new AbortController().signal)) !== undefined

  return async (url, etag = null) => {
    const headers = { accept: 'application/json', ...(etag !== null && { 'if-none-match': etag }) }
    try {
      return readAnswer(url, await fetch(url, { headers, isDeniedHost }), etag)
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error
      return refuse(`The server of the document ${error.message}.`)
    }
  }
}

function readAnswer(url: string, { status, headers, bytes }: Fetched, sentEtag: string | null): DocumentFetch {
  const lifetimeMs = documentLifetimeMs(headers)
  if (status === 304 && sentEtag !== null) return { kind: 'unchanged', lifetimeMs }
  if (status !== 200) return refuse(`The server of the document answers ${status}.`)
  if (!isJson(headers['content-type'])) return refuse('The document is not served as application/json.')
  const body = decode(bytes)
  if (body === undefined) return refuse('The document is not valid UTF-8.')
  return readDocument(url, body, { etag: readEtag(headers.etag), lifetimeMs })
}

/** Read the text of a document. */
export function readDocument(
  url: string,
  body: string,
  cached: { etag: string | null; lifetimeMs: number },
): DocumentFetch {
  const json = readJsonObject(body)
  if (json.kind === 'refused') return refuse(`The document ${json.cause}.`)
  const unnamed = new URL(url).hostname
  const { value: metadata, violations = [] } = readClientMetadata(json.object, {
    clientId: url,
    unnamed,
    scopes: scopeNames,
  })
  if (metadata === undefined) return refuse(violations.map(({ message }) => message).join(' '))
  return { kind: 'fetched', metadata, body, ...cached }
}

/** `application/json`, or a type that is JSON by its suffix (RFC 6839, 3.1). */
const isJson = (contentType = '') => /^application\/([\w.+-]{1,100}\+)?json *($|;)/i.test(contentType)

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Read an entity tag (RFC 9110, 8.8.3). Only a valid one is stored, because it is sent back. */
const readEtag = (etag = ''): string | null =>
  etag.length <= maxEtagLength && /^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag) ? etag : null

/** Refuse a document. The sentences may quote it, and are truncated. */
const refuse = (cause: string): DocumentFetch => ({ kind: 'refused', cause: cause.slice(0, maxDocumentCauseLength) })

/** Characters that are stored and shown of a long list of violations. */
const maxDocumentCauseLength = 500
