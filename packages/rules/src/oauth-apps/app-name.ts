import { findPlainTextViolation, type PlainTextViolation } from '../text/plain-text.ts'
import { likenessOf, nameKeys } from './look-alike-names.ts'
import { findTrustedNameViolation, type NameCharacterViolation } from './name-characters.ts'

export const minAppNameLength = 3
export const maxAppNameLength = 50

/** What the service calls itself on its pages and in its emails. */
const serviceName = 'Parley'

type AppNameViolation =
  | PlainTextViolation
  | NameCharacterViolation
  | { code: 'no_letter' | 'reserved_name'; message: string }

/**
 * Check whether an app may have this name. The service's own name, the names in `reservedNames` and names that look
 * like them are refused. Similarity to other apps' names is checked in look-alike-names.ts.
 */
export function findAppNameViolation(name: string, reservedNames: Iterable<string> = []): AppNameViolation | undefined {
  const violation = findUnchangedAppNameViolation(name)
  if (violation !== undefined) return violation
  const characterViolation = findTrustedNameViolation(name)
  if (characterViolation !== undefined) return characterViolation
  if (!/[\p{L}\p{N}]/u.test(name)) return { code: 'no_letter', message: 'must hold letters or digits' }
  const keys = nameKeys(name)
  const reserved = [serviceName, ...reservedNames].find((other) => likenessOf(keys, nameKeys(other)) === 'same')
  if (reserved === undefined) return undefined
  return {
    code: 'reserved_name',
    message: `must not be, or look like, “${reserved}”, the name of the service or of an organisation that uses it`,
  }
}

/** Check a name that the app already has: only the limits of every text. Reviewers see the other violations. */
export const findUnchangedAppNameViolation = (name: string): PlainTextViolation | undefined =>
  findPlainTextViolation(name, { minLength: minAppNameLength, maxLength: maxAppNameLength })
