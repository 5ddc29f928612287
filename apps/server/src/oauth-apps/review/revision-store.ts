import type { CheckResult } from '@parley/contract'
import { nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { RegisteredFields } from '../app-fields.ts'
import type { OwnerIdentity } from '../owner-identity.ts'
import type { PageFindings } from '../page-checks/page-checks.ts'

/** Insert a revision with the next number. The app's row must be locked. */
export async function insertRevision(
  tx: Tx,
  appId: string,
  { fields, owner, now }: { fields: RegisteredFields; owner: OwnerIdentity | undefined; now: Date },
): Promise<number> {
  const { last } = await tx
    .selectFrom('appRevision')
    .select((revision) => revision.fn.max('number').as('last'))
    .where('appId', '=', appId)
    .executeTakeFirstOrThrow()
  const number = (last ?? 0) + 1
  const values = { appId, number, ...columnsOf(fields), ...(owner && ownerColumns(owner)) }
  await tx
    .insertInto('appRevision')
    .values({ ...values, submittedAt: null, createdAt: now })
    .execute()
  return number
}

/** The type of the client is the app's, not the revision's. */
const columnsOf = ({ clientType: _, ...fields }: RegisteredFields) => ({ ...fields, nameKeys: nameKeys(fields.name) })

const ownerColumns = ({ name, organisation }: OwnerIdentity) => ({ ownerName: name, ownerOrganisation: organisation })

/** Update a revision that was never submitted, or whose change needs no review; then its owner stays as reviewed. */
export const updateRevision = (
  tx: Tx,
  appId: string,
  number: number,
  { fields, owner }: { fields: RegisteredFields; owner?: OwnerIdentity },
) =>
  tx
    .updateTable('appRevision')
    .set({ ...columnsOf(fields), ...(owner && ownerColumns(owner)) })
    .where('appId', '=', appId)
    .where('number', '=', number)
    .execute()

/** Delete a draft that was never submitted; submitted ones are history. */
export const deleteUnsubmittedRevision = (tx: Tx, appId: string, number: number) =>
  tx
    .deleteFrom('appRevision')
    .where('appId', '=', appId)
    .where('number', '=', number)
    .where('submittedAt', 'is', null)
    .execute()

/** Clients that no developer has registered have no owner. */
type Findings = PageFindings & { owner?: OwnerIdentity }

/** Mark a revision as submitted, with its owner and the results of the pre-checks, replacing earlier ones. */
export async function recordFindings(
  tx: Tx,
  appId: string,
  number: number,
  { checks, logo, owner }: Findings,
  now: Date,
) {
  await tx
    .updateTable('appRevision')
    .set({ submittedAt: now, ...(owner && ownerColumns(owner)) })
    .where('appId', '=', appId)
    .where('number', '=', number)
    .execute()
  await tx.deleteFrom('appCheck').where('appId', '=', appId).where('revision', '=', number).execute()
  if (checks.length > 0) {
    const rows = checks.map((check, position) => ({ appId, revision: number, position, ...check }))
    await tx.insertInto('appCheck').values(rows).execute()
  }
  await tx.deleteFrom('appLogo').where('appId', '=', appId).where('revision', '=', number).execute()
  if (logo !== undefined) {
    await tx
      .insertInto('appLogo')
      .values({ appId, revision: number, ...logo })
      .execute()
  }
}

export const findChecks = (database: Database, appId: string, number: number): Promise<CheckResult[]> =>
  database
    .selectFrom('appCheck')
    .select(['check', 'field', 'result', 'message'])
    .where('appId', '=', appId)
    .where('revision', '=', number)
    .orderBy('position')
    .execute()
