import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { WithDatabase } from '../../access/service.ts'
import { shownNameOf } from '../../access/shown-app.ts'
import type { Client } from '../../oauth-apps/client-store.ts'
import type { OwnerIdentity } from '../../oauth-apps/owner-identity.ts'
import { type Html, html } from '../../platform/http/html.ts'
import { pageTexts } from './page-texts/in-language.ts'

/** Facts about an app that its developer does not control. */
export type AppFacts = {
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

/** Name an app to a person who goes on to a redirect URI. */
export function nameApp(client: Client, redirectUri: string, { language, isTester }: Reader): AppInSentences {
  const shown = shownNameOf({ ...client, isReviewed: client.isReviewed || isTester }, [redirectUri])
  if (shown.kind === 'unnamed') {
    const { within, start, actor } = pageTexts(language).unnamed
    return { within: html`${within}`, start: html`${start}`, actor: html`${actor}`, startText: start }
  }
  const name = shown.kind === 'name' ? shown.name : shown.host
  const isolatedName = shown.kind === 'name' ? html`<bdi>${name}</bdi>` : html`<bdi dir="ltr">${name}</bdi>`
  return { within: isolatedName, start: isolatedName, actor: isolatedName, startText: isolated(language, name) }
}

export async function readAppFacts(
  { database }: Pick<WithDatabase, 'database'>,
  { appId, isReviewed, sandbox, revision }: Client,
): Promise<AppFacts> {
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
