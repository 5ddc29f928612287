import { findPlainTextViolation } from '../text/plain-text.ts'
import type { Violation } from '../text/violation.ts'
import { findAppNameViolation, findKeptAppNameViolation } from './app-name.ts'
import { findCallbackUrlViolations, findPageUrlViolations, type HttpsCallbacks, isPlainHttp } from './app-url.ts'

export const maxAppDescriptionLength = 500
export const maxCallbackUrls = 10

/** What a developer says of an app (service.md 2.7), as it is kept; addresses exactly as they were sent. */
export type AppFields<UseCase extends string = string, Scope extends string = string> = {
  name: string
  homepageUrl: string
  policyUrl: string
  logoUrl: string
  useCase: UseCase
  description: string
  callbackUrls: string[]
  scopes: Scope[]
  requirePkce: boolean
  sendIss: boolean
}

/** The same with any words for use case and scopes, types checked. */
export type SentAppFields = Omit<AppFields, 'callbackUrls' | 'scopes'> & {
  callbackUrls: readonly string[]
  scopes: readonly string[]
}

export type AppFieldsContext<UseCase extends string, Scope extends string> = {
  useCases: readonly UseCase[]
  scopes: readonly Scope[]
  httpsCallbacks: HttpsCallbacks
  /** What users know the app by now: it may stay, also when the rules for names have become stricter since. */
  liveName?: string | undefined
}

export type ReadAppFields<UseCase extends string, Scope extends string> =
  | { kind: 'read'; fields: AppFields<UseCase, Scope> }
  | { kind: 'refused'; violations: readonly Violation[] }

const pages = ['homepageUrl', 'policyUrl', 'logoUrl'] as const

/** Judges an app as a whole and names everything that is wrong with it at once (oauth.md 4 and 6.10). */
export function readAppFields<UseCase extends string, Scope extends string>(
  sent: SentAppFields,
  context: AppFieldsContext<UseCase, Scope>,
): ReadAppFields<UseCase, Scope> {
  const useCase = context.useCases.find((one) => one === sent.useCase)
  const scopes = context.scopes.filter((scope) => sent.scopes.includes(scope))
  const violations = [
    ...told(
      'name',
      sent.name === context.liveName ? findKeptAppNameViolation(sent.name) : findAppNameViolation(sent.name),
    ),
    ...pages.flatMap((page) => findPageUrlViolations(sent[page]).flatMap((fault) => told(page, fault))),
    ...(useCase === undefined ? [notAllowed('/useCase', 'useCase', context.useCases)] : []),
    ...told(
      'description',
      findPlainTextViolation(sent.description, { maxLength: maxAppDescriptionLength, lines: true }),
    ),
    ...validateCallbackUrls(sent.callbackUrls, context.httpsCallbacks),
    ...validateScopes(sent.scopes, context.scopes),
  ]
  if (violations.length > 0 || useCase === undefined) return { kind: 'refused', violations }
  // In the order of the request: that is the registered order (oauth.md 3.2).
  const asSent = [...new Set(sent.scopes)].flatMap((name) => scopes.find((scope) => scope === name) ?? [])
  return { kind: 'read', fields: { ...sent, useCase, callbackUrls: [...sent.callbackUrls], scopes: asSent } }
}

/** The addresses of a sound app that go over the network unencrypted, by field (oauth.md 4: flagged to both sides). */
export function plainHttpFields(fields: Pick<AppFields, (typeof pages)[number] | 'callbackUrls'>): string[] {
  return [
    ...pages.filter((page) => isPlainHttp(fields[page])),
    ...fields.callbackUrls.flatMap((url, index) => (isPlainHttp(url) ? [`callbackUrls/${index}`] : [])),
  ]
}

function validateCallbackUrls(urls: readonly string[], policy: HttpsCallbacks): Violation[] {
  if (urls.length === 0) {
    return [{ path: '/callbackUrls', code: 'too_few', message: 'callbackUrls must hold at least one address.' }]
  }
  const tooMany = urls.length > maxCallbackUrls
  const message = `callbackUrls must hold at most ${maxCallbackUrls} addresses.`
  return [
    ...(tooMany ? [{ path: '/callbackUrls', code: 'too_many', message }] : []),
    // What is beyond the limit has to go anyhow.
    ...urls.slice(0, maxCallbackUrls).flatMap((url, index) => {
      const field = `callbackUrls/${index}`
      if (urls.indexOf(url) < index) return told(field, { code: 'duplicate', message: 'is listed twice' })
      return findCallbackUrlViolations(url, policy).flatMap((fault) => told(field, fault))
    }),
  ]
}

/** More than there are; what is beyond is not even looked at. */
const maxScopesSent = 50

function validateScopes(sent: readonly string[], known: readonly string[]): Violation[] {
  if (sent.length === 0) {
    return [{ path: '/scopes', code: 'too_few', message: `scopes must name at least one of ${known.join(', ')}.` }]
  }
  if (sent.length > maxScopesSent) {
    return [{ path: '/scopes', code: 'too_many', message: `scopes must hold at most ${maxScopesSent}.` }]
  }
  return sent.flatMap((scope, index) =>
    known.includes(scope) ? [] : [notAllowed(`/scopes/${index}`, `scopes/${index}`, known)],
  )
}

const told = (field: string, fault: { code: string; message: string } | undefined): Violation[] =>
  fault === undefined ? [] : [{ path: `/${field}`, code: fault.code, message: `${spoken(field)} ${fault.message}.` }]

const notAllowed = (path: string, field: string, known: readonly string[]): Violation => ({
  path,
  code: 'not_allowed',
  message: `${spoken(field)} must be one of ${known.join(', ')}.`,
})

const spoken = (field: string) => field.replace('/', '.')
