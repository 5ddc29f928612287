import type { CheckResult, Violation } from '@parley/contract'
import { claimsToBeOurs, nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { findTrustedNameViolation } from '@parley/rules/oauth-apps/name-characters'
import { isAddressVerified } from '../access/trusted-address.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../tables/tables.ts'

/** Whose app it is, as people read it when they consent: a part of what is reviewed. */
export type OwnerIdentity = {
  name: string
  /**
   * Only one that the operator has mapped to the domain of the owner's email address, and only where that address was
   * proven: nobody can claim an organisation.
   */
  organisation: string | null
}

export async function readOwnerIdentity(
  database: Database,
  ownerId: string,
  { tenants }: Pick<Config, 'tenants'>,
): Promise<OwnerIdentity> {
  const { name, lname, tenant, emailVerifiedAt } = await database
    .selectFrom('account')
    .innerJoin('tenant', 'tenant.id', 'account.tenantId')
    .select(['account.name', 'account.lname', 'account.emailVerifiedAt', 'tenant.name as tenant'])
    .where('account.id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const isMapped = [...tenants.values()].includes(tenant)
  return {
    name: `${name} ${lname}`.trim(),
    organisation: isMapped && isAddressVerified({ emailVerifiedAt }) ? tenant : null,
  }
}

export const isSameOwner = (one: OwnerIdentity, other: OwnerIdentity): boolean =>
  one.name === other.name && one.organisation === other.organisation

/** Why an app cannot be submitted under its owner's name; nothing for the name that it is live under. */
export function validateOwnerName(owner: OwnerIdentity, liveOwnerName: string | null | undefined): Violation[] {
  const fault = owner.name === liveOwnerName ? undefined : findTrustedNameViolation(owner.name)
  if (fault === undefined) return []
  const message = `Your own name, which people read beside the app’s, ${fault.message}. Change it in your profile.`
  return [{ path: '/owner', code: fault.code, message }]
}

/**
 * What in the names of a revision needs a reviewer's look. A name that was approved before a rule was made stays usable, and
 * is marked here; what an owner's name claims is nobody else's to judge.
 */
export function flagNames({ name, ownerName }: { name: string; ownerName: string | null }): CheckResult[] {
  const flags: CheckResult[] = []
  const nameViolation = findTrustedNameViolation(name)
  if (nameViolation !== undefined) {
    const message = `A new app’s name ${nameViolation.message}; this one had it before.`
    flags.push({ check: 'name_characters', field: 'name', result: 'failed', message })
  }
  const ownerViolation = ownerName === null ? undefined : findTrustedNameViolation(ownerName)
  if (ownerViolation !== undefined) {
    const message = `The name of a new app’s developer ${ownerViolation.message}; this one had it before.`
    flags.push({ check: 'name_characters', field: 'owner', result: 'failed', message })
  }
  if (ownerName !== null && claimsToBeOurs(nameKeys(ownerName))) {
    const message = 'The developer’s name says that it is official, verified, or Parley’s own.'
    flags.push({ check: 'owner_name', field: 'owner', result: 'noted', message })
  }
  return flags
}
