import { findPlainTextViolation, type PlainTextViolation } from '../text/plain-text.ts'
import { findTrustedNameViolation, type NameCharacterViolation } from './name-characters.ts'

export const minAppNameLength = 3
export const maxAppNameLength = 50

export type AppNameViolation = PlainTextViolation | NameCharacterViolation | { code: 'no_letter'; message: string }

/** What an app cannot be called. Whether another app is called so, or nearly so, is not asked here (look-alike-names.ts). */
export function findAppNameViolation(name: string): AppNameViolation | undefined {
  const fault = findKeptAppNameViolation(name)
  if (fault !== undefined) return fault
  const characterViolation = findTrustedNameViolation(name)
  if (characterViolation !== undefined) return characterViolation
  return /[\p{L}\p{N}]/u.test(name) ? undefined : { code: 'no_letter', message: 'must hold letters or digits' }
}

/** The same of a name that an app has already: only what no text of ours may hold. Its reviewer is told of the rest. */
export const findKeptAppNameViolation = (name: string): PlainTextViolation | undefined =>
  findPlainTextViolation(name, { minLength: minAppNameLength, maxLength: maxAppNameLength })
