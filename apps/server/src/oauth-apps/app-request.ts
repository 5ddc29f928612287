import {
  type AppRequest,
  maxReviewAnswerLength,
  maxReviewNotesLength,
  maxScopeReasonLength,
  type ScopeReasons,
  scopeNames,
  type UseCase,
  useCases,
} from '@parley/contract'
import type { ClientType } from '@parley/rules/oauth/client-type'
import { readAppFields } from '@parley/rules/oauth-apps/app-fields'
import { collect, combine, type Parsed, readOptional } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import type { Violation } from '@parley/rules/text/violation'
import type { Config } from '../platform/config/config.ts'
import { problem } from '../platform/http/problem.ts'
import type { RegisteredFields } from './app-store.ts'

const defaultFields = {
  description: '',
  embedOrigins: [] as string[],
  clientType: 'confidential' as ClientType,
  requirePkce: false,
  sendIss: true,
}

type ReadingOptions = Pick<Config, 'httpsCallbacks' | 'tenants' | 'baseUrl'> & {
  liveName?: string | undefined
  /** Undefined until the app is submitted: its developer may still choose the type. */
  fixedClientType?: ClientType | undefined
}

/**
 * Read the fields of a request. Omitted optional fields keep their value of `before`.
 * @throws invalid_app with all violations
 */
export function readFields(
  sent: Omit<AppRequest, 'draft'>,
  { httpsCallbacks, baseUrl, tenants, liveName, fixedClientType }: ReadingOptions,
  before: Pick<RegisteredFields, keyof typeof defaultFields> = defaultFields,
): RegisteredFields {
  const { description, embedOrigins, clientType, requirePkce, sendIss } = { ...before, ...sent }
  const { name, homepageUrl, policyUrl, logoUrl, useCase, callbackUrls, scopes } = sent
  const pages = { homepageUrl, policyUrl, logoUrl, callbackUrls }
  const parsed = readAppFields(
    { name, ...pages, useCase, description, embedOrigins, scopes, clientType, requirePkce, sendIss },
    {
      httpsCallbacks,
      baseUrl,
      liveName,
      reservedNames: tenants.values(),
      fixedClientType,
      scopes: scopeNames,
      useCases: useCaseCodes,
    },
  )
  return requireValid(parsed)
}

// TypeScript types the keys of any object as strings.
const useCaseCodes = Object.keys(useCases) as UseCase[]

type SentNotes = Pick<AppRequest, 'scopeReasons' | 'reviewNotes'> & { answer?: string }

/**
 * Read a developer's notes to the reviewers, as columns of the app. Omitted fields stay unchanged.
 * @throws invalid_app with all violations
 */
export function readReviewNotes({ scopeReasons, reviewNotes, answer }: SentNotes) {
  requireValid(
    combine({
      reviewNotes: readNote('/reviewNotes', reviewNotes, maxReviewNotesLength),
      answer: readNote('/answer', answer, maxReviewAnswerLength),
      scopeReasons: collect(
        scopeNames.map((scope) => readNote(`/scopeReasons/${scope}`, scopeReasons?.[scope], maxScopeReasonLength)),
      ),
    }),
  )
  return {
    ...(reviewNotes !== undefined && { reviewNotes: reviewNotes.trim() }),
    ...(scopeReasons !== undefined && { scopeReasons: JSON.stringify(trimmed(scopeReasons)) }),
  }
}

const trimmed = (reasons: ScopeReasons): ScopeReasons =>
  Object.fromEntries(
    scopeNames.flatMap((scope) => {
      const text = reasons[scope]?.trim() ?? ''
      return text === '' ? [] : [[scope, text]]
    }),
  )

const readNote = (path: string, text: string | undefined, maxLength: number) =>
  readOptional(text, (note) => readPlainText(path, note, { maxLength, lines: true }))

/** Return the parsed value. @throws invalid_app with all violations */
function requireValid<Value>(parsed: Parsed<Value>): Value {
  if (parsed.violations !== undefined) throw invalidApp(parsed.violations)
  return parsed.value
}

export const invalidApp = (violations: readonly Violation[]) =>
  problem('invalid_app', { detail: violations.map(({ message }) => message).join(' '), violations })
