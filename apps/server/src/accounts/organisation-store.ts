import { createHash } from 'node:crypto'
import type { LogoGround, OrganisationLook } from '@parley/contract'
import { deriveAccentColours } from '@parley/rules/accounts/accent-colours'
import { sql } from 'kysely'
import type { StoredBrand, StoredLogo } from '../../migrations/column-values.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'
import type { ServedImage } from '../platform/served-image.ts'

export async function findBrand(database: Database, tenantId: string): Promise<StoredBrand> {
  const tenant = await database.selectFrom('tenant').select('brand').where('id', '=', tenantId).executeTakeFirst()
  return tenant?.brand ?? {}
}

/** The account of the address, else the first one, whose organisation runs the service (`findServiceTenant`). */
const brandStatement = defineStatement({
  name: 'find-brand-of-address',
  parameters: { emailKey: 'text?' },
  columns: pick(tables.tenant, 'brand'),
  text: (p) => sql`select t.brand from account a join tenant t on t.id = a.tenant_id where a.id = coalesce(
    (select id from account where email_key = ${p.emailKey} and deleted_at is null),
    (select id from account order by id limit 1))`,
})

/**
 * Find the brand of an address's organisation; of an address without an account, that of the service. One statement in
 * both cases: the time of a sign-up must not reveal an account (`deferSignUp`).
 */
export async function findBrandOfAddress(database: Database, emailKey: string | null): Promise<StoredBrand> {
  const [found] = await brandStatement.execute(database, { emailKey })
  return found?.brand ?? {}
}

/** Find the brand of the organisation that runs the service: pages have it that do not know the reader's yet. */
export const findServiceBrand = (database: Database): Promise<StoredBrand> => findBrandOfAddress(database, null)

export const updateBrand = (tx: Tx, tenantId: string, brand: StoredBrand) =>
  tx
    .updateTable('tenant')
    .set({ brand: JSON.stringify(brand) })
    .where('id', '=', tenantId)
    .execute()

/** Replace a logo's bytes. Return what `brand` says of them. */
export async function replaceLogo(
  tx: Tx,
  { tenantId, ground }: { tenantId: string; ground: LogoGround },
  { bytes, mediaType, width, height }: ServedImage,
  now: Date,
): Promise<StoredLogo> {
  const digest = createHash('sha256').update(bytes).digest('base64url')
  const values = { digest, mediaType, bytes, createdAt: now }
  await tx
    .insertInto('tenantLogo')
    .values({ tenantId, ground, ...values })
    .onConflict((conflict) => conflict.columns(['tenantId', 'ground']).doUpdateSet(values))
    .execute()
  return { digest, mediaType, width, height, size: bytes.length }
}

export const deleteLogo = (tx: Tx, tenantId: string, ground: LogoGround) =>
  tx.deleteFrom('tenantLogo').where('tenantId', '=', tenantId).where('ground', '=', ground).execute()

/** Find the bytes of a logo that an organisation has now. */
export const findLogo = (database: Database, digest: string) =>
  database
    .selectFrom('tenantLogo')
    .select(['mediaType', 'bytes'])
    .where('digest', '=', digest)
    .limit(1)
    .executeTakeFirst()

export const logoPath = (digest: string) => `/organisation/logos/${digest}`

/** View a brand as anyone sees it; null where the organisation has set nothing. */
export function viewLook(brand: StoredBrand): OrganisationLook | null {
  if (Object.keys(brand).length === 0) return null
  return lookOf(brand)
}

/** View a brand with all its fields, also those that are not set. */
export function lookOf({ name = '', colour, logos = {} }: StoredBrand): OrganisationLook {
  return {
    name,
    logos: { light: viewLogo(logos.light), dark: viewLogo(logos.dark) },
    colours: colour === undefined ? null : deriveAccentColours(colour),
  }
}

const viewLogo = (logo: StoredLogo | undefined) =>
  logo === undefined ? null : { url: logoPath(logo.digest), width: logo.width, height: logo.height }
