import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { sqlOwnerActive } from '../../access/credentials/live-grant.ts'
import { shownNameOf } from '../../access/shown-app.ts'
import type { OAuthClient } from '../../oauth-apps/client-store.ts'
import type { OwnerIdentity } from '../../oauth-apps/owner-identity.ts'
import type { Database } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { type Html, html } from '../../platform/http/html.ts'
import { problem } from '../../platform/http/problem.ts'
import { textsIn } from '../../platform/texts.ts'
import type { Dependencies } from '../dependencies.ts'

/** What identifies an app on a page and is not its developer's claim. */
export type AppIdentity = {
  /**
   * The owner's name at submission: a later change of name is not shown before a review. Undefined of clients that no
   * developer has registered.
   */
  owner: OwnerIdentity | undefined
  hasLogo: boolean
}

/** An app in the sentences of a page: within one, at the start of one, and as what acts. */
export type AppInSentences = { within: Html; start: Html; actor: Html; startText: string }

type Reader = {
  language: Language
  /** Signed in as the owner or a tester of a sandbox, and knows the developer. */
  isTester: boolean
}

/** Name an app to a person who continues to a redirect URI. */
export function nameApp(client: OAuthClient, redirectUri: string, { language, isTester }: Reader): AppInSentences {
  const shown = shownNameOf({ ...client, isReviewed: client.isReviewed || isTester }, [redirectUri])
  if (shown.kind === 'unnamed') {
    const t = textsIn(language, 'oauth-pages')
    const [within, startText, actor] = [t('unnamed.within'), t('unnamed.start'), t('unnamed.actor')]
    return { within: html`${within}`, start: html`${startText}`, actor: html`${actor}`, startText }
  }
  const name = shown.kind === 'name' ? shown.name : shown.host
  const isolatedName = shown.kind === 'name' ? html`<bdi>${name}</bdi>` : html`<bdi dir="ltr">${name}</bdi>`
  return { within: isolatedName, start: isolatedName, actor: isolatedName, startText: isolated(language, name) }
}

export async function findAppIdentity(
  database: Database,
  { appId, isReviewed, sandbox, revision }: OAuthClient,
): Promise<AppIdentity> {
  const { ownerName, ownerOrganisation } = revision
  const logo = await database
    .selectFrom('appLogo')
    .select('appId')
    .where('appId', '=', appId)
    .where('revision', '=', revision.number)
    .executeTakeFirst()
  // A logo is shown only after a reviewer has seen it, except to testers.
  const hasLogo = logo !== undefined && (isReviewed || sandbox)
  const owner = ownerName === null ? undefined : { name: ownerName, organisation: ownerOrganisation }
  return { owner, hasLogo }
}

/** Image types that cannot contain scripts. */
const safeTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** Caches may show a logo this long after its app was stopped or has submitted another. */
const logoLifetimeSeconds = 60 * 60

/**
 * Register the logos of apps. Logos come from our own origin, so that an app's server does not learn which person is
 * about to consent. The headers make browsers treat the bytes as an image only. Logos of stopped apps are not found.
 */
export function registerLogos(pages: FastifyInstance, { database }: Dependencies): void {
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
        .where(sql<boolean>`${sqlOwnerActive}`)
        .executeTakeFirst()
      if (logo === undefined || !safeTypes.includes(logo.mediaType)) throw problem('not_found')
      return reply
        .headers({
          'content-type': logo.mediaType,
          'content-disposition': 'inline',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': `public, max-age=${logoLifetimeSeconds}`,
        })
        .send(logo.bytes)
    },
  )
}
