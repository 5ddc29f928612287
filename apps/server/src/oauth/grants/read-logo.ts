import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { ownerActive } from '../../access/credentials/live-grant.ts'
import type { WithDatabase } from '../../access/service.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'

/** Image types that cannot contain scripts. */
const safeTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** Caches may show a logo this long after its app was stopped or has submitted another. */
const lifetimeSeconds = 60 * 60

/**
 * Serve an app's logo from our own origin, so that the app's server does not learn who is about to consent. The headers
 * make browsers treat the bytes as an image only. Logos of stopped apps are not found.
 */
export function serveReadLogo(pages: FastifyInstance, { database }: Pick<WithDatabase, 'database'>) {
  pages.get<{ Params: { appId: string; revision: string } }>(
    '/oauth2/logos/:appId/:revision',
    async ({ params: { appId, revision } }, reply) => {
      if (!isUuid(appId) || !/^[1-9]\d{0,8}$/.test(revision)) throw problem('not_found')
      const logo = await database
        .selectFrom('appLogo')
        .innerJoin('app as p', 'p.id', 'appLogo.appId')
        .leftJoin('account as o', 'o.id', 'p.ownerId')
        .select(['appLogo.mediaType', 'appLogo.bytes'])
        .where('appLogo.appId', '=', appId)
        .where('appLogo.revision', '=', Number(revision))
        .where('p.status', '!=', 'suspended')
        .where('p.deletedAt', 'is', null)
        .where(sql<boolean>`${ownerActive}`)
        .executeTakeFirst()
      if (logo === undefined || !safeTypes.includes(logo.mediaType)) throw problem('not_found')
      return reply
        .headers({
          'content-type': logo.mediaType,
          'content-disposition': 'inline',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': `public, max-age=${lifetimeSeconds}`,
        })
        .send(logo.bytes)
    },
  )
}
