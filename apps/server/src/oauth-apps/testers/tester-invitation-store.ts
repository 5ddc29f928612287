import type { Caller } from '../../access/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'

/** More apps than one person tests; the list fits on one page. */
const maxInvitationsListed = 200

type Invited = Pick<Caller, 'addressKey' | 'addressTrusted'>

/** List a person's invitations, newest first. Only a trusted address sees what was sent to it. */
export async function listInvitationRows(database: Database, invited: Invited) {
  if (!invited.addressTrusted) return []
  return invitations(database, invited).orderBy('t.invitedAt', 'desc').limit(maxInvitationsListed).execute()
}

export async function findInvitationRow(database: Database, appId: string, invited: Invited) {
  if (!isUuid(appId) || !invited.addressTrusted) return undefined
  return invitations(database, invited).where('t.appId', '=', appId).executeTakeFirst()
}

/** Invitations to usable apps, with the name that the sandbox shows. */
const invitations = (database: Database, { addressKey }: Invited) =>
  database
    .selectFrom('appTester as t')
    .innerJoin('app as p', 'p.id', 't.appId')
    .innerJoin('account as o', 'o.id', 'p.ownerId')
    .innerJoin('appRevision as r', (join) =>
      join
        .onRef('r.appId', '=', 'p.id')
        .on((on) => on('r.number', '=', on.fn.coalesce('p.draftRevision', 'p.liveRevision'))),
    )
    .select(['t.appId', 't.state', 't.invitedAt', 't.answeredAt', 'r.name', 'r.homepageUrl'])
    .select(['p.ownerId', 'o.name as ownerName', 'o.lname as ownerLname', 'o.email as ownerEmail'])
    .where('t.emailKey', '=', addressKey)
    .where('t.removedAt', 'is', null)
    .where('p.deletedAt', 'is', null)
    .where('p.status', '!=', 'suspended')
    .where('o.oauthEnabled', '=', true)
    .where('o.disabledAt', 'is', null)

export type InvitationRow = Awaited<ReturnType<typeof listInvitationRows>>[number]

export const viewInvitation = (row: InvitationRow) => ({
  app: { _id: row.appId, name: row.name, homepageUrl: row.homepageUrl },
  owner: { name: `${row.ownerName} ${row.ownerLname}`.trim(), email: row.ownerEmail },
  state: row.state,
  invitedOn: row.invitedAt.toISOString(),
  answeredOn: row.answeredAt?.toISOString() ?? null,
})
