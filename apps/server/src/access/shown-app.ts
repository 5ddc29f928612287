import type { AppRegistration } from '@parley/contract'
import { type ClaimedName, type ShownName, shownName } from '@parley/rules/oauth-apps/shown-name'
import { sql } from 'kysely'

/*
 * What people are shown of an app. Before a review, a client without a registered developer may use another party's
 * name, logo or pages.
 */

type ClientIdentity = { registration: AppRegistration; clientId: string | null }

/** The host of a client's document, with the port where it is not 443; absent for clients without a document. */
export const clientHostOf = (app: ClientIdentity) =>
  app.registration === 'metadata_document' && app.clientId !== null ? { clientHost: new URL(app.clientId).host } : {}

/**
 * The SQL condition that what the revision `r` of the app `p` says may be shown: a reviewer has approved it, not the
 * configuration. The names of developers' apps are shown before, to people who know the developer.
 */
export const isReviewed = sql<boolean>`(p.registration = 'portal'
  or coalesce(p.live_revision = r.number and not p.live_by_configuration, false))`

type NamedApp = ClientIdentity & { isReviewed: boolean; name: ClaimedName }

/** What an app is called where people read of it. Every text that names an app takes the name from here. */
export const shownNameOf = (app: NamedApp, redirectUris: readonly string[]): ShownName =>
  shownName({ ...app, clientHost: clientHostOf(app).clientHost }, redirectUris)

/** The name as data: empty for an app that cannot be named. */
export function shownNameText(app: NamedApp, redirectUris: readonly string[]): string {
  const shown = shownNameOf(app, redirectUris)
  switch (shown.kind) {
    case 'name':
      return shown.name
    case 'host':
      return shown.host
    case 'unnamed':
      return ''
  }
}

/** A page that an app names, or nothing before a review. */
export const shownPageOf = (app: { isReviewed: boolean }, address: string): string => (app.isReviewed ? address : '')
