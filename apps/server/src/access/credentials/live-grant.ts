/**
 * What must hold, beside the times, wherever a token or a code of a grant is taken (oauth.md 3.7): the family `f` and the
 * grant `g` have not ended, the app `p` is neither suspended nor deleted, its owner `o` may have apps, and the user `a` is
 * not disabled and has not signed out everywhere since.
 */
export const liveGrant = `g.revoked_at is null
  and p.status <> 'suspended' and p.deleted_at is null and o.oauth_enabled and o.disabled_at is null
  and a.disabled_at is null`

/** `began` is when the user was there to give it. */
export const sinceSignOut = (began: string) => `(a.app_tokens_ended_at is null or ${began} > a.app_tokens_ended_at)`

/** Joins what `liveGrant` speaks of to the grant `g`. */
export const grantJoins = `join app p on p.id = g.app_id join account o on o.id = p.owner_id
  join account a on a.id = g.account_id`

/** Of the scopes held, in their order, those that are among others: mostly all, and then nothing is taken apart. */
export const heldAmong = (held: string, others: string) => `case when ${held} <@ ${others} then ${held} else array(
  select scope from unnest(${held}) with ordinality as held (scope, place) where scope = any(${others}) order by place) end`

/**
 * Of what a token or a code carries, in its order, what its grant still holds: from a grant goes at once what its app gives
 * up (oauth.md 4), and comes back only when its user is asked again.
 */
export const stillGranted = (scopes: string) => heldAmong(scopes, 'g.scopes')
