import { type ClientType, isPublic } from '../oauth/client-type.ts'
import { isOwnAddress } from '../oauth/redirect-uri.ts'
import { collect, combine, mapParsed, type Parsed, passed, refuse, refuseAt } from '../text/parsed.ts'
import { readPlainText } from '../text/plain-text.ts'
import { violationAt } from '../text/violation.ts'
import { findAppNameViolation, findUnchangedAppNameViolation } from './app-name.ts'
import {
  findCallbackUrlViolations,
  findOriginViolations,
  findPageUrlViolations,
  type HttpsCallbacks,
  isPlainHttp,
} from './app-url.ts'

/** In characters after trimming. */
export const maxAppDescriptionLength = 500
export const maxCallbackUrls = 10
/** An app has a few sites, with one for tests; browsers receive the list with each embedded page. */
export const maxEmbedOrigins = 10

/** The validated fields of an app, as stored; URLs exactly as they were sent. */
export type AppFields<UseCase extends string = string, Scope extends string = string> = {
  name: string
  homepageUrl: string
  policyUrl: string
  logoUrl: string
  useCase: UseCase
  description: string
  callbackUrls: string[]
  /** The origins of the pages that may embed meetings. */
  embedOrigins: string[]
  scopes: Scope[]
  clientType: ClientType
  /** Always of public clients. */
  requirePkce: boolean
  sendIss: boolean
}

/** The fields as sent: types checked, `useCase` and `scopes` not yet validated. */
export type SentAppFields = Omit<AppFields, 'callbackUrls' | 'embedOrigins' | 'scopes'> & {
  callbackUrls: readonly string[]
  embedOrigins: readonly string[]
  scopes: readonly string[]
}

type AppFieldsContext<UseCase extends string, Scope extends string> = {
  useCases: readonly UseCase[]
  scopes: readonly Scope[]
  httpsCallbacks: HttpsCallbacks
  /** The service's own address, to which no callback leads. */
  baseUrl: string
  /** The app's current public name, which stays valid even if the naming rules have become stricter. */
  liveName?: string | undefined
  /** The names of organisations that use the service. */
  reservedNames: Iterable<string>
  /** The type of an app that was submitted. It stays, because users consented to an app of this type. */
  fixedClientType?: ClientType | undefined
}

const pages = ['homepageUrl', 'policyUrl', 'logoUrl'] as const

/** Read an app as a whole and report all violations at once. */
export function readAppFields<UseCase extends string, Scope extends string>(
  sent: SentAppFields,
  context: AppFieldsContext<UseCase, Scope>,
): Parsed<AppFields<UseCase, Scope>> {
  const { useCases, scopes, liveName, reservedNames, fixedClientType } = context
  const { clientType, sendIss } = sent
  const requirePkce = sent.requirePkce || isPublic(clientType)
  const fields = combine({
    name: readAppName(sent.name, { liveName, reservedNames }),
    homepageUrl: readPageUrl('/homepageUrl', sent.homepageUrl),
    policyUrl: readPageUrl('/policyUrl', sent.policyUrl),
    logoUrl: readPageUrl('/logoUrl', sent.logoUrl),
    useCase: readOneOf('/useCase', sent.useCase, useCases),
    description: readPlainText('/description', sent.description, {
      maxLength: maxAppDescriptionLength,
      lines: true,
    }),
    callbackUrls: readCallbackUrls(sent.callbackUrls, clientType, context),
    embedOrigins: readEmbedOrigins(sent.embedOrigins, context),
    clientType: readClientType(clientType, fixedClientType),
    scopes: readScopes(sent.scopes, scopes),
  })
  return mapParsed(fields, (read) => ({ ...read, requirePkce, sendIss }))
}

/** The fields of a valid app whose URLs use plain http, which are flagged to the developer and to the reviewer. */
export function plainHttpFields(fields: Pick<AppFields, (typeof pages)[number] | 'callbackUrls'>): string[] {
  return [
    ...pages.filter((page) => isPlainHttp(fields[page])),
    ...fields.callbackUrls.flatMap((url, index) => (isPlainHttp(url) ? [`callbackUrls/${index}`] : [])),
  ]
}

function readAppName(
  name: string,
  { liveName, reservedNames }: Pick<AppFieldsContext<string, string>, 'liveName' | 'reservedNames'>,
): Parsed<string> {
  const violation = name === liveName ? findUnchangedAppNameViolation(name) : findAppNameViolation(name, reservedNames)
  return readingOf('/name', name, violation === undefined ? [] : [violation])
}

const readPageUrl = (path: string, url: string) => readingOf(path, url, findPageUrlViolations(url))

function readClientType(clientType: ClientType, fixed: ClientType | undefined): Parsed<ClientType> {
  if (fixed === undefined || clientType === fixed) return { value: clientType }
  const message = 'cannot be changed once the app was submitted; register another app'
  return refuse(violationAt('/clientType', { code: 'fixed', message }))
}

function readCallbackUrls(
  urls: readonly string[],
  clientType: ClientType,
  { httpsCallbacks, baseUrl }: Pick<AppFieldsContext<string, string>, 'httpsCallbacks' | 'baseUrl'>,
): Parsed<string[]> {
  if (urls.length === 0) {
    return refuseAt('/callbackUrls', 'too_few', 'must hold at least one address')
  }
  return readAddresses({
    field: 'callbackUrls',
    sent: urls,
    max: maxCallbackUrls,
    noun: 'addresses',
    violationsOf: (url) =>
      isOwnAddress(url, baseUrl) ? [ownAddress] : findCallbackUrlViolations(url, httpsCallbacks, clientType),
  })
}

const ownAddress = {
  code: 'own_address',
  message: 'must not lead to this service itself; the callback of the Playground is built in for the sandbox',
}

function readEmbedOrigins(
  origins: readonly string[],
  { baseUrl }: Pick<AppFieldsContext<string, string>, 'baseUrl'>,
): Parsed<string[]> {
  return readAddresses({
    field: 'embedOrigins',
    sent: origins,
    max: maxEmbedOrigins,
    noun: 'origins',
    violationsOf: (origin) => (isOwnAddress(origin, baseUrl) ? [ownOrigin] : findOriginViolations(origin)),
  })
}

const ownOrigin = { code: 'own_address', message: 'must not be the origin of this service itself' }

type Addresses = {
  field: 'callbackUrls' | 'embedOrigins'
  sent: readonly string[]
  max: number
  /** What the field holds, in the plural. */
  noun: string
  violationsOf(address: string): readonly { code: string; message: string }[]
}

/** Read a list of addresses, each at most once. Those beyond the limit have to be removed anyway, and are not read. */
function readAddresses({ field, sent, max, noun, violationsOf }: Addresses): Parsed<string[]> {
  const tooMany = `must hold at most ${max} ${noun}`
  const count = sent.length <= max ? passed : refuseAt(`/${field}`, 'too_many', tooMany)
  const read = sent.slice(0, max).map((address, index) => {
    const isDuplicate = sent.indexOf(address) < index
    const violations = isDuplicate ? [{ code: 'duplicate', message: 'is listed twice' }] : violationsOf(address)
    return readingOf(`/${field}/${index}`, address, violations)
  })
  return mapParsed(combine({ count, addresses: collect(read) }), ({ addresses }) => addresses)
}

/** More scopes than exist; further names are not examined. */
const maxScopesSent = 50

/** Read the scopes in the order of the request, which is the registered order; duplicates count once. */
function readScopes<Scope extends string>(sent: readonly string[], known: readonly Scope[]): Parsed<Scope[]> {
  if (sent.length === 0) {
    return refuseAt('/scopes', 'too_few', `must name at least one of ${known.join(', ')}`)
  }
  if (sent.length > maxScopesSent) {
    return refuseAt('/scopes', 'too_many', `must hold at most ${maxScopesSent}`)
  }
  const read = collect(sent.map((scope, index) => readOneOf(`/scopes/${index}`, scope, known)))
  return mapParsed(read, (scopes) => [...new Set(scopes)])
}

function readOneOf<Known extends string>(path: string, text: string, known: readonly Known[]): Parsed<Known> {
  const value = known.find((each) => each === text)
  if (value !== undefined) return { value }
  return refuse(violationAt(path, { code: 'not_allowed', message: `must be one of ${known.join(', ')}` }))
}

const readingOf = (
  path: string,
  value: string,
  violations: readonly { code: string; message: string }[],
): Parsed<string> =>
  violations.length === 0 ? { value } : refuse(...violations.map((violation) => violationAt(path, violation)))
