import assert from 'node:assert/strict'
import { secureRandom } from '../../src/platform/random.ts'
import type { Person } from '../people.ts'
import type { TestApp } from '../start-app.ts'

/** Insert a person's grant for an app directly into the table, without its consent page. @returns the grant's id */
export async function insertGrant(
  { database }: TestApp,
  person: Person,
  app: { _id: string },
  { sandbox }: { sandbox: boolean },
): Promise<string> {
  const now = new Date()
  const id = secureRandom.uuid(now)
  await database
    .insertInto('appGrant')
    .values({
      id,
      accountId: person.profile._id,
      appId: app._id,
      sandbox,
      apiScopes: ['user:read'],
      createdAt: now,
      modifiedAt: now,
      lastUsedAt: null,
      expiresAt: new Date(now.getTime() + 60_000),
      revokedAt: null,
      revokedBecause: null,
    })
    .execute()
  return id
}

/** Why a grant was revoked; null while it is not. */
export async function revocationCauseOf({ database }: TestApp, grantId: string) {
  const row = await database.selectFrom('appGrant').selectAll().where('id', '=', grantId).executeTakeFirstOrThrow()
  assert.equal(row.revokedAt === null, row.revokedBecause === null)
  return row.revokedBecause
}
