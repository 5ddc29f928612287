import { findPlainTextViolation } from '../text/plain-text.ts'
import type { Violation } from '../text/violation.ts'
import { findAppNameViolation, findKeptAppNameViolation } from './app-name.ts'
import { findCallbackUrlViolations, findPageUrlViolations, type HttpsCallbacks, isPlainHttp } from './app-url.ts'

export const maxAppDescriptionLength = 500
export const maxCallbackUrls = 10

/** The validated fields of an app, as stored; URLs exactly as they were sent. */
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

/** The fields as sent: types checked, `useCase` and `scopes` not yet validated. */
export type SentAppFields = Omit<AppFields, 'callbackUrls' | 'scopes'> & {
  callbackUrls: readonly string[]
  scopes: readonly string[]
}

export type AppFieldsContext<UseCase extends string, Scope extends string> = {
  useCases: readonly UseCase[]
  scopes: readonly Scope[]
  httpsCallbacks: HttpsCallbacks
  /** The app's current public name. It stays valid even if the naming rules have become stricter. */
  liveName?: string | undefined
}

export type ReadAppFields<UseCase extends string, Scope extends string> =
  | { kind: 'read'; fields: AppFields<UseCase, Scope> }
  | { kind: 'refused'; violations: readonly Violation[] }

const pages = ['homepageUrl', 'policyUrl', 'logoUrl'] as const

/** Validate an app as a whole and report all violations at once. */
export function readAppFields<UseCase extends string, Scope extends string>(
  sent: SentAppFields,
  context: AppFieldsContext<UseCase, Scope>,
): ReadAppFields<UseCase, Scope> {
  const useCase = context.useCases.find((useCase) => useCase === sent.useCase)
  const scopes = context.scopes.filter((scope) => sent.scopes.includes(scope))
  const violations = [
    ...toViolations(
      'name',
      sent.name === context.liveName ? findKeptAppNameViolation(sent.name) : findAppNameViolation(sent.name),
    ),
    ...pages.flatMap((page) => findPageUrlViolations(sent[page]).flatMap((violation) => toViolations(page, violation))),
    ...(useCase === undefined ? [notAllowed('/useCase', 'useCase', context.useCases)] : []),
    ...toViolations(
      'description',
      findPlainTextViolation(sent.description, { maxLength: maxAppDescriptionLength, lines: true }),
    ),
    ...validateCallbackUrls(sent.callbackUrls, context.httpsCallbacks),
    ...validateScopes(sent.scopes, context.scopes),
  ]
  if (violations.length > 0 || useCase === undefined) return { kind: 'refused', violations }
  // Keep the order of the request: it is the registered order.
  const asSent = [...new Set(sent.scopes)].flatMap((name) => scopes.find((scope) => scope === name) ?? [])
  return { kind: 'read', fields: { ...sent, useCase, callbackUrls: [...sent.callbackUrls], scopes: asSent } }
}

/** The fields of a valid app whose URLs use plain http. They are flagged to the developer and to the reviewer. */
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
    // URLs beyond the limit have to be removed anyway.
    ...urls.slice(0, maxCallbackUrls).flatMap((url, index) => {
      const field = `callbackUrls/${index}`
      if (urls.indexOf(url) < index) return toViolations(field, { code: 'duplicate', message: 'is listed twice' })
      return findCallbackUrlViolations(url, policy).flatMap((violation) => toViolations(field, violation))
    }),
  ]
}

/** More than exist; further names are not examined. */
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

const toViolations = (field: string, violation: { code: string; message: string } | undefined): Violation[] =>
  violation === undefined
    ? []
    : [{ path: `/${field}`, code: violation.code, message: `${displayName(field)} ${violation.message}.` }]

const notAllowed = (path: string, field: string, known: readonly string[]): Violation => ({
  path,
  code: 'not_allowed',
  message: `${displayName(field)} must be one of ${known.join(', ')}.`,
})

const displayName = (field: string) => field.replace('/', '.')
