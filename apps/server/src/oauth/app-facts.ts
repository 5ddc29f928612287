import type { Service } from '../access/service.ts'
import type { Client } from '../apps/client-store.ts'

/** What people are told of an app beside what its revision says. */
export type AppFacts = {
  ownerName: string
  /** Only one that the operator has mapped to the owner's e-mail domain: nobody can claim an organisation. */
  organisation: string | undefined
  hasLogo: boolean
}

export async function readAppFacts(
  { database, config }: Pick<Service, 'database' | 'config'>,
  { appId, ownerId, revision }: Client,
): Promise<AppFacts> {
  const { name, lname, tenant, logoOf } = await database
    .selectFrom('account')
    .innerJoin('tenant', 'tenant.id', 'account.tenantId')
    .leftJoin('appLogo', (join) => join.on('appLogo.appId', '=', appId).on('appLogo.revision', '=', revision.number))
    .select(['account.name', 'account.lname', 'tenant.name as tenant', 'appLogo.appId as logoOf'])
    .where('account.id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const mapped = [...config.tenants.values()].includes(tenant)
  return {
    ownerName: `${name} ${lname}`.trim(),
    organisation: mapped ? tenant : undefined,
    hasLogo: logoOf !== null,
  }
}
