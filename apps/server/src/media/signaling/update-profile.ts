import type { ParticipantProfile } from '../room/describe-participant.ts'

const maxIdentityLength = 256
const maxParticipantNameLength = 256
export const maxMetadataLength = 16_384
const maxAttributesLength = 16_384

/**
 * Update name, metadata and attributes. Empty texts change nothing, and an attribute with an empty value is removed.
 * Undefined if a value exceeds its limit.
 */
export function updateProfile(
  profile: ParticipantProfile,
  change: { name: string; metadata: string; attributes: Record<string, string> },
): ParticipantProfile | undefined {
  const merged = Object.entries({ ...profile.attributes, ...change.attributes })
  const updated = {
    ...profile,
    name: change.name || profile.name,
    metadata: change.metadata || profile.metadata,
    attributes: Object.fromEntries(merged.filter(([, value]) => value !== '')),
  }
  return isWithinLimits(updated) ? updated : undefined
}

export const isWithinLimits = ({ identity, name, metadata, attributes }: Omit<ParticipantProfile, 'permission'>) =>
  identity.length <= maxIdentityLength &&
  name.length <= maxParticipantNameLength &&
  metadata.length <= maxMetadataLength &&
  JSON.stringify(attributes).length <= maxAttributesLength
