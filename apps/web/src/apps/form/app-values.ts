import type { App } from '@parley/contract'
import { readAppFields, type SentAppFields } from '@parley/rules/oauth-apps/app-fields'
import { randomKey } from '../../ui/random-key.ts'

/** A redirect URI with a stable key for its row. */
type CallbackRow = { key: string; url: string }

/** The form's values. */
export type AppValues = Omit<SentAppFields, 'callbackUrls' | 'embedOrigins'> & {
  callbackUrls: readonly CallbackRow[]
  /** One in each line. */
  embedOrigins: string
  /** Why the app needs each scope, by scope. */
  scopeReasons: Readonly<Record<string, string>>
  reviewNotes: string
  /** The answer to a reviewer's reasons; empty when there are none. */
  answer: string
}

export const newCallback = (url = ''): CallbackRow => ({ key: randomKey(), url })

/** The lines of a text that hold something. */
export const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

export const noValues = (): AppValues => ({
  name: '',
  homepageUrl: '',
  policyUrl: '',
  logoUrl: '',
  useCase: '',
  description: '',
  callbackUrls: [newCallback()],
  embedOrigins: '',
  scopes: [],
  clientType: 'confidential',
  requirePkce: false,
  sendIss: true,
  scopeReasons: {},
  reviewNotes: '',
  answer: '',
})

export const valuesOf = (app: App): AppValues => ({
  ...fieldsOfApp(app),
  callbackUrls: app.callbackUrls.map((url) => newCallback(url)),
  embedOrigins: app.embedOrigins.join('\n'),
  scopeReasons: { ...app.scopeReasons },
  reviewNotes: app.reviewNotes,
  answer: '',
})

export const fieldsOfApp = (app: App) => ({
  name: app.name,
  homepageUrl: app.homepageUrl,
  policyUrl: app.policyUrl,
  logoUrl: app.logoUrl,
  useCase: app.useCase,
  description: app.description,
  callbackUrls: app.callbackUrls,
  embedOrigins: app.embedOrigins,
  scopes: app.scopes,
  clientType: app.clientType,
  requirePkce: app.requirePkce,
  sendIss: app.sendIss,
})

export const fieldsOfValues = ({ scopeReasons: _, reviewNotes: _notes, answer: _answer, ...values }: AppValues) => ({
  ...values,
  callbackUrls: values.callbackUrls.map(({ url }) => url.trim()),
  embedOrigins: linesOf(values.embedOrigins),
  scopes: [...values.scopes],
})

/** Build the request body, with justifications of chosen scopes only. */
export const bodyOfValues = (values: AppValues) => ({
  ...fieldsOfValues(values),
  reviewNotes: values.reviewNotes,
  scopeReasons: Object.fromEntries(
    Object.entries(values.scopeReasons).filter(([scope]) => values.scopes.includes(scope)),
  ),
})

export type Choices = {
  useCases: readonly string[]
  scopes: readonly string[]
  /** The service's own address, to which no callback leads. */
  baseUrl: string
  /** Set for a live app: its current name stays valid when the rules for new names change. */
  liveName?: string | undefined
}

/**
 * Validate the fields by the service's own rules. Return the first violation of each field, by paths with dots such as
 * `callbackUrls.2`. Whether `http:` is allowed, and the names of
 * organisations, are known to the server only.
 */
export function violationsIn(values: AppValues, choices: Choices): ReadonlyMap<string, string> {
  const read = readAppFields(fieldsOfValues(values), {
    ...choices,
    httpsCallbacks: 'allow',
    reservedNames: [],
  })
  const violations = new Map<string, string>()
  for (const { path, code } of read.violations ?? []) {
    const field = path.slice(1).replace('/', '.')
    if (!violations.has(field)) violations.set(field, code)
  }
  return violations
}

/**
 * Whether typing on may fix the violation; such violations are shown when the field loses focus. A scheme other than
 * http, such as `javascript:`, is not among them, except for native apps, which may have one of their own.
 */
export const isUnfinished = (code: string, text = '') =>
  ['not_a_url', 'not_native', 'own_address', 'too_short', 'too_few'].includes(code) ||
  (code === 'not_http' && !text.includes(':'))
