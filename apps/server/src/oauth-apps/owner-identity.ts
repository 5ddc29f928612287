import type { CheckResult } from '@parley/contract'
import { claimsToBeOurs, nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { findTrustedNameViolation } from '@parley/rules/oauth-apps/name-characters'
import { type Violation, violationAt } from '@parley/rules/text/violation'
import { isAddressVerified } from '../access/trusted-address.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/database/database.ts'

/** The owner as the consent page shows it; part of what is reviewed. */
export type OwnerIdentity = {
  name: string
  /**
   * Only an organisation that the operator has mapped to the domain of the owner's verified email address, so that no
   * other person can claim the organisation.
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

export const isSameOwner = (before: OwnerIdentity, after: OwnerIdentity): boolean =>
  before.name === after.name && before.organisation === after.organisation

/** Check the owner's name for a submission; the name that the app is live under stays valid. */
export function findOwnerNameViolation(
  owner: OwnerIdentity,
  liveOwnerName: string | null | undefined,
): Violation | undefined {
  const violation = owner.name === liveOwnerName ? undefined : findTrustedNameViolation(owner.name)
  if (violation === undefined) return undefined
  const message = `is your own name, which people read beside the app’s: it ${violation.message}. Change it in your profile`
  return violationAt('/owner', { code: violation.code, message })
}

/**
 * Flag names that a reviewer should check. Names that were approved before a rule existed stay usable and are flagged
 * here; whether an owner's name is true is for the reviewer to decide.
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
