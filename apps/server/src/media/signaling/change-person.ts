import type { Person } from '../room/participant.ts'

export const MAX_IDENTITY_LENGTH = 256
export const MAX_NAME_LENGTH = 256
export const MAX_METADATA_LENGTH = 16_384
export const MAX_ATTRIBUTES_LENGTH = 16_384

/**
 * The person with a new name, metadata, and attributes: empty texts change nothing, an attribute with an empty value is taken
 * away, the others stay. Undefined when something grows past its limit.
 */
export function updatePerson(
  person: Person,
  change: { name: string; metadata: string; attributes: Record<string, string> },
): Person | undefined {
  const merged = Object.entries({ ...person.attributes, ...change.attributes })
  const updated = {
    ...person,
    name: change.name || person.name,
    metadata: change.metadata || person.metadata,
    attributes: Object.fromEntries(merged.filter(([, value]) => value !== '')),
  }
  return isWithinLimits(updated) ? updated : undefined
}

export const isWithinLimits = ({ identity, name, metadata, attributes }: Omit<Person, 'permission'>) =>
  identity.length <= MAX_IDENTITY_LENGTH &&
  name.length <= MAX_NAME_LENGTH &&
  metadata.length <= MAX_METADATA_LENGTH &&
  JSON.stringify(attributes).length <= MAX_ATTRIBUTES_LENGTH
