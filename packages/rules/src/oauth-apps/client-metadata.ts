import { ignoredScopes } from '../oauth/scope-set.ts'
import { collect, combine, mapParsed, type Parsed, passed, refuse, refuseAt } from '../text/parsed.ts'
import { violationAt } from '../text/violation.ts'
import { maxCallbackUrls } from './app-fields.ts'
import { findAppNameViolation } from './app-name.ts'
import { findCallbackUrlViolations, findPageUrlViolations } from './app-url.ts'

/** What a client says about itself in a document or a registration, as far as it is used (RFC 7591, 2). */
export type ClientMetadata<Scope extends string = string> = {
  name: string
  /** Empty where the client names none; the same for the other pages. */
  homepageUrl: string
  policyUrl: string
  logoUrl: string
  redirectUris: string[]
  /** In registered order. */
  scopes: Scope[]
}

type ClientMetadataContext<Scope extends string> = {
  /** The URL of the document, which its `client_id` must repeat; undefined for a registration, which has none. */
  clientId: string | undefined
  /** Shown where the client has no name. */
  unnamed: string
  /** In registered order. */
  scopes: readonly Scope[]
}

/**
 * Read the metadata of a client that no developer has registered in the portal
 * (draft-ietf-oauth-client-id-metadata-document, 4; RFC 7591, 2), and report all violations at once. Fields that are
 * not used are ignored, in other languages (`client_name#de`) too.
 */
export function readClientMetadata<Scope extends string>(
  sent: Readonly<Record<string, unknown>>,
  { clientId, unnamed, scopes }: ClientMetadataContext<Scope>,
): Parsed<ClientMetadata<Scope>> {
  const fields = combine({
    clientId: clientId === undefined ? passed : readClientId(sent.client_id, clientId),
    secret: refuseSecrets(sent),
    authentication: readAuthentication(sent),
    grantTypes: readFlow('/grant_types', sent.grant_types, 'authorization_code'),
    responseTypes: readFlow('/response_types', sent.response_types, 'code'),
    name: readName(sent.client_name, unnamed),
    homepageUrl: readPage('/client_uri', sent.client_uri),
    policyUrl: readPage('/policy_uri', sent.policy_uri),
    logoUrl: readPage('/logo_uri', sent.logo_uri),
    redirectUris: readRedirectUris(sent.redirect_uris),
    scopes: readScopes(sent.scope, scopes),
  })
  return mapParsed(fields, ({ name, homepageUrl, policyUrl, logoUrl, redirectUris, scopes: read }) => ({
    name,
    homepageUrl,
    policyUrl,
    logoUrl,
    redirectUris,
    scopes: read,
  }))
}

/** Compared as text, so that a document cannot be served for the URL of another one. */
const readClientId = (sent: unknown, clientId: string): Parsed<undefined> =>
  sent === clientId ? passed : refuseAt('/client_id', 'other_client', 'must be the address of the document')

/** A document that everyone can read cannot contain a secret. */
function refuseSecrets(sent: Readonly<Record<string, unknown>>): Parsed<undefined> {
  const name = ['client_secret', 'client_secret_expires_at'].find((secret) => Object.hasOwn(sent, secret))
  return name === undefined ? passed : refuseAt(`/${name}`, 'secret', 'must not be part of a public document')
}

/**
 * The client authenticates with `none`, which is also what an absent method means here. Some clients prefer a key pair,
 * and list `none` among what they can do (OpenID Connect Relying Party Metadata Choices 1.0).
 */
function readAuthentication(sent: Readonly<Record<string, unknown>>): Parsed<undefined> {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: methods } = sent
  if (method === undefined || method === 'none') return passed
  if (typeof method === 'string' && !isSymmetric(method) && Array.isArray(methods) && methods.includes('none')) {
    return passed
  }
  const message = 'must be none: the service keeps neither secrets nor keys of such clients'
  return refuseAt('/token_endpoint_auth_method', 'not_allowed', message)
}

const isSymmetric = (method: string) => method.startsWith('client_secret_')

/** An absent list has the value by default (RFC 7591, 2). */
function readFlow(path: string, sent: unknown, needed: string): Parsed<undefined> {
  if (sent === undefined || (Array.isArray(sent) && sent.includes(needed))) return passed
  return refuseAt(path, 'not_allowed', `must hold ${needed}`)
}

function readName(sent: unknown, unnamed: string): Parsed<string> {
  if (sent === undefined || sent === '') return { value: unnamed }
  if (typeof sent !== 'string') return notText('/client_name')
  const violation = findAppNameViolation(sent)
  return violation === undefined ? { value: sent.trim() } : refuse(violationAt('/client_name', violation))
}

function readPage(path: string, sent: unknown): Parsed<string> {
  if (sent === undefined || sent === '') return { value: '' }
  if (typeof sent !== 'string') return notText(path)
  const [violation] = findPageUrlViolations(sent)
  return violation === undefined ? { value: sent } : refuse(violationAt(path, violation))
}

/**
 * Read the redirect URIs by the rules of native apps: the client keeps no secret, and may run anywhere. URIs of other
 * schemes are left out, since the service redirects to none of them.
 */
function readRedirectUris(sent: unknown): Parsed<string[]> {
  const path = '/redirect_uris'
  if (!Array.isArray(sent)) return refuseAt(path, 'missing', 'must be a list of addresses')
  if (sent.length > maxRedirectUrisSent) {
    return refuseAt(path, 'too_many', `must hold at most ${maxRedirectUrisSent} addresses`)
  }
  const read = sent.map((uri, index) => readRedirectUri(`${path}/${index}`, uri)).filter((uri) => uri !== undefined)
  if (read.length === 0) {
    return refuseAt(path, 'too_few', 'must hold at least one address that begins with https:// or leads to localhost')
  }
  return mapParsed(collect(read), (uris) => [...new Set(uris)])
}

/** As many as an app of the portal can have, including URIs that are left out. */
const maxRedirectUrisSent = maxCallbackUrls

/** Undefined for a URI that is left out. */
function readRedirectUri(path: string, sent: unknown): Parsed<string> | undefined {
  if (typeof sent !== 'string') return notText(path)
  const [violation] = findCallbackUrlViolations(sent, 'allow', 'native')
  if (violation === undefined) return { value: sent }
  return hasOtherScheme(sent) ? undefined : refuse(violationAt(path, violation))
}

const hasOtherScheme = (uri: string) => /^[a-z][a-z\d+.-]*:/i.test(uri) && !/^https?:/i.test(uri)

/** Without any scope of ours, the client may ask for all: the person then chooses. */
function readScopes<Scope extends string>(sent: unknown, known: readonly Scope[]): Parsed<Scope[]> {
  if (sent !== undefined && typeof sent !== 'string') return notText('/scope')
  const named = (sent ?? '').split(' ').filter((scope) => scope !== '' && !ignoredScopes.includes(scope))
  const scopes = known.filter((scope) => named.includes(scope))
  if (named.length > 0 && scopes.length === 0) {
    return refuseAt('/scope', 'not_allowed', `must name some of ${known.join(', ')}`)
  }
  return { value: named.length === 0 ? [...known] : scopes }
}

const notText = (path: string) => refuseAt(path, 'not_text', 'must be a text')
