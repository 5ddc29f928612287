import { scopeNames } from '@parley/contract'
import { type Resource, resources } from '@parley/rules/oauth/resource'
import { sql } from 'kysely'
import type { Fragment } from '../../platform/database/define-statement.ts'

/**
 * The SQL condition under which the app `p` may be used as far as its owner `o` is concerned: the owner may have apps.
 * Clients that no developer has registered have none.
 */
export const sqlOwnerActive = sql`(p.owner_id is null or o.oauth_enabled and o.disabled_at is null)`

/**
 * The SQL condition, besides expiry, under which a token or a code of a grant is valid: the grant `g` has not ended,
 * the app `p` is neither suspended nor deleted, its owner `o` may have apps, and the user `a` is not disabled.
 */
export const sqlLiveGrant = sql`g.revoked_at is null
  and p.status <> 'suspended' and p.deleted_at is null and ${sqlOwnerActive}
  and a.disabled_at is null`

/** The condition that the user has not signed out everywhere since `began`, the time of the consent. */
export const sinceSignOut = (began: Fragment) =>
  sql`(a.app_tokens_ended_at is null or ${began} > a.app_tokens_ended_at)`

/** Join the tables of `sqlLiveGrant` to the grant `g`. */
export const grantJoins = sql`join app p on p.id = g.app_id left join account o on o.id = p.owner_id
  join account a on a.id = g.account_id`

/**
 * The scopes that are in both arrays, in the order of the first. The subset case comes first because it is the usual
 * one and cheap.
 */
export const intersectScopes = (
  held: Fragment,
  others: Fragment,
) => sql`case when ${held} <@ ${others} then ${held} else array(
  select scope from unnest(${held}) with ordinality as held (scope, position) where scope = any(${others}) order by position) end`

/** Where a grant has what was consented to for a resource. Each has a column, so that a consent for one reaches no other. */
export const scopeColumns = { api: 'apiScopes', mcp: 'mcpScopes' } as const satisfies Record<Resource, string>

const grantedColumns = { api: sql`g.api_scopes`, mcp: sql`g.mcp_scopes` } as const satisfies Record<Resource, Fragment>

/** The scopes of the grant `g` for the resource of a code or a token family; null for a resource that is not known. */
export const grantedFor = (resource: Fragment) =>
  sql`case coalesce(${resource}, 'api') ${sql.join(
    resources.map((each) => sql`when ${sql.lit(each)} then ${grantedColumns[each]}`),
    sql` `,
  )} end`

/** All scopes of the grant `g`, of the API and of the MCP server, in registered order. */
export const grantedScopes = sql`array(select scope from unnest(array[${sql.join(scopeNames.map((name) => sql.lit(name)))}])
  with ordinality as registered (scope, position)
  where ${sql.join(
    resources.map((each) => sql`scope = any (${grantedColumns[each]})`),
    sql` or `,
  )} order by position)`

/**
 * The scopes of a token or a code that its grant still holds for its resource, in their order. A grant loses the scopes
 * that its app gives up at once, and regains them only by a new consent.
 */
export const stillGranted = (scopes: Fragment, resource: Fragment) => intersectScopes(scopes, grantedFor(resource))
