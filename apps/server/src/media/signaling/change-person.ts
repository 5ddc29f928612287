import type { Person } from '../room/describe-participant.ts'

export const maxIdentityLength = 256
export const maxNameLength = 256
export const maxMetadataLength = 16_384
export const maxAttributesLength = 16_384

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
  identity.length <= maxIdentityLength &&
  name.length <= maxNameLength &&
  metadata.length <= maxMetadataLength &&
  JSON.stringify(attributes).length <= maxAttributesLength
