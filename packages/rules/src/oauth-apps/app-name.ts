import { findPlainTextViolation, type PlainTextViolation } from '../text/plain-text.ts'
import { findTrustedNameViolation, type NameCharacterViolation } from './name-characters.ts'

export const minAppNameLength = 3
export const maxAppNameLength = 50

type AppNameViolation = PlainTextViolation | NameCharacterViolation | { code: 'no_letter'; message: string }

/** Check whether an app may have this name. Similarity to other apps' names is checked in look-alike-names.ts. */
export function findAppNameViolation(name: string): AppNameViolation | undefined {
  const violation = findKeptAppNameViolation(name)
  if (violation !== undefined) return violation
  const characterViolation = findTrustedNameViolation(name)
  if (characterViolation !== undefined) return characterViolation
  return /[\p{L}\p{N}]/u.test(name) ? undefined : { code: 'no_letter', message: 'must hold letters or digits' }
}

/** Check a name that the app already has: only the limits of every text. Reviewers see the other violations. */
export const findKeptAppNameViolation = (name: string): PlainTextViolation | undefined =>
  findPlainTextViolation(name, { minLength: minAppNameLength, maxLength: maxAppNameLength })
