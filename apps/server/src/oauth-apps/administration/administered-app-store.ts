import type { AppStatus } from '@parley/contract'
import { sql } from 'kysely'
import type { Database } from '../../tables/tables.ts'
import { type Governed, viewOwner } from '../review/reviewed-app-store.ts'

export type Wanted = { governed: Governed; q: string; suspended: boolean | undefined; now: Date }

/** Apps that were submitted once: what never was does nothing that could be stopped. */
export function administeredApps(database: Database, { governed, q, suspended }: Omit<Wanted, 'now'>) {
  const words = q.trim()
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  return database
    .selectFrom('app as p')
    .innerJoin('account as o', 'o.id', 'p.ownerId')
    .leftJoin('appRevision as live', (join) =>
      join.onRef('live.appId', '=', 'p.id').onRef('live.number', '=', 'p.liveRevision'),
    )
    .leftJoin('appRevision as draft', (join) =>
      join.onRef('draft.appId', '=', 'p.id').onRef('draft.number', '=', 'p.draftRevision'),
    )
    .where('p.submittedAt', 'is not', null)
    .where('p.deletedAt', 'is', null)
    .$if(governed !== 'all', (apps) => apps.where('o.tenantId', '=', governed === 'all' ? '' : governed.tenantId))
    .$if(suspended !== undefined, (apps) => apps.where('p.status', suspended ? '=' : '!=', 'suspended'))
    .$if(words !== '', (apps) =>
      apps.where(
        sql<boolean>`(live.name ilike ${pattern} or draft.name ilike ${pattern}
          or o.name || ' ' || o.lname || ' ' || o.email ilike ${pattern}
          or p.client_id = ${words} or p.sandbox_client_id = ${words})`,
      ),
    )
}

/** What is shown of each; the people are counted who let its real side act for them now. */
export const selectAdministeredApps = (database: Database, wanted: Wanted) =>
  administeredApps(database, wanted)
    .select(['p.id', 'p.status', 'p.liveRevision', 'p.createdAt', 'live.name as liveName', 'draft.name as draftName'])
    .select([
      'o.id as ownerId',
      'o.name as ownerName',
      'o.lname as ownerLname',
      'o.email',
      'o.oauthEnabled',
      'o.disabledAt',
    ])
    .select((app) =>
      app
        .selectFrom('appGrant as g')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('g.appId', '=', 'p.id')
        .where('g.sandbox', '=', false)
        .where('g.revokedAt', 'is', null)
        .where('g.expiresAt', '>', wanted.now)
        .as('connectedPeople'),
    )

type AdministeredRow = {
  id: string
  status: AppStatus
  liveRevision: number | null
  liveName: string | null
  draftName: string | null
  ownerId: string
  ownerName: string
  ownerLname: string
  email: string
  oauthEnabled: boolean
  disabledAt: Date | null
  connectedPeople: number | null
}

export const viewAdministeredApp = (row: AdministeredRow) => ({
  _id: row.id,
  name: row.liveName ?? row.draftName ?? '',
  draftName: row.liveName !== null && row.draftName !== row.liveName ? row.draftName : null,
  status: row.status,
  // While its owner may offer no apps, an app behaves as a suspended one.
  isLive: row.liveRevision !== null && row.status !== 'suspended' && row.oauthEnabled && row.disabledAt === null,
  owner: viewOwner({ id: row.ownerId, name: row.ownerName, lname: row.ownerLname, email: row.email }),
  connectedPeople: row.connectedPeople ?? 0,
})
