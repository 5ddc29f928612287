import { type PlainTextFault, plainTextFault } from '../text/plain-text.ts'
import { type NameCharacterFault, trustedNameCharacterFault } from './name-characters.ts'

export const minAppNameLength = 3
export const maxAppNameLength = 50

export type AppNameFault = PlainTextFault | NameCharacterFault | { code: 'no_letter'; message: string }

/** What an app cannot be called. Whether another app is called so, or nearly so, is not asked here (look-alike-names.ts). */
export function appNameFault(name: string): AppNameFault | undefined {
  const fault = keptAppNameFault(name)
  if (fault !== undefined) return fault
  const characterFault = trustedNameCharacterFault(name)
  if (characterFault !== undefined) return characterFault
  return /[\p{L}\p{N}]/u.test(name) ? undefined : { code: 'no_letter', message: 'must hold letters or digits' }
}

/** The same of a name that an app has already: only what no text of ours may hold. Its reviewer is told of the rest. */
export const keptAppNameFault = (name: string): PlainTextFault | undefined =>
  plainTextFault(name, { minLength: minAppNameLength, maxLength: maxAppNameLength })
