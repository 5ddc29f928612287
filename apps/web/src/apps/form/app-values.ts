import type { App } from '@parley/contract'
import { readAppFields, type SentAppFields } from '@parley/rules/oauth-apps/app-fields'
import { randomKey } from '../../ui/random-key.ts'

/** An address with a key of its own, so that a row stays itself while others come and go. */
export type CallbackRow = { key: string; url: string }

/** What the form holds. */
export type AppValues = Omit<SentAppFields, 'callbackUrls'> & {
  callbackUrls: readonly CallbackRow[]
  /** Why the app needs each scope, by scope. */
  scopeReasons: Readonly<Record<string, string>>
  reviewNotes: string
  /** To the reasons of a reviewer; empty where there are none. */
  answer: string
}

export const newCallback = (url = ''): CallbackRow => ({ key: randomKey(), url })

export const noValues = (): AppValues => ({
  name: '',
  homepageUrl: '',
  policyUrl: '',
  logoUrl: '',
  useCase: '',
  description: '',
  callbackUrls: [newCallback()],
  scopes: [],
  requirePkce: false,
  sendIss: true,
  scopeReasons: {},
  reviewNotes: '',
  answer: '',
})

export const valuesOf = (app: App): AppValues => ({
  ...fieldsOfApp(app),
  callbackUrls: app.callbackUrls.map((url) => newCallback(url)),
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
  scopes: app.scopes,
  requirePkce: app.requirePkce,
  sendIss: app.sendIss,
})

export const fieldsOfValues = ({ scopeReasons: _, reviewNotes: _notes, answer: _answer, ...values }: AppValues) => ({
  ...values,
  callbackUrls: values.callbackUrls.map(({ url }) => url.trim()),
  scopes: [...values.scopes],
})

/** All that is sent: reasons only of scopes that are still chosen. */
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
  /** Of an app that is live: its name may stay as it is, whatever the rules for new ones are. */
  liveName?: string | undefined
}

/**
 * What the service's own rules say of each field, the first fault of each: by paths with dots, such as `callbackUrls.2`.
 * How strict the operator is about `http:` the server alone knows.
 */
export function violationsIn(values: AppValues, choices: Choices): ReadonlyMap<string, string> {
  const read = readAppFields(fieldsOfValues(values), { ...choices, httpsCallbacks: 'allow' })
  const faults = new Map<string, string>()
  for (const { path, code } of read.kind === 'read' ? [] : read.violations) {
    const field = path.slice(1).replace('/', '.')
    if (!faults.has(field)) faults.set(field, code)
  }
  return faults
}

/**
 * These go by themselves while somebody goes on typing: they are told when the field is left. Another scheme than http,
 * such as `javascript:`, does not.
 */
export const isUnfinished = (code: string, text = '') =>
  ['not_a_url', 'too_short', 'too_few'].includes(code) || (code === 'not_http' && !text.includes(':'))
