import { sql } from 'kysely'
import { sinceSignOut } from '../access/credentials/live-grant.ts'
import type { Fragment, Parameter } from '../platform/database/define-statement.ts'

/**
 * The SQL condition that a webhook has ended with what it was made with: a personal token that was deleted or has expired;
 * a grant that has ended, or whose tokens the app has revoked or the user has signed out; or its app. Nothing brings one
 * back, and a job deletes it.
 */
export const hasEnded = (webhook: Fragment, now: Fragment | Parameter | Date) => sql<boolean>`case
  when ${webhook}.personal_token_id is not null then not exists (select from personal_token t
    where t.id = ${webhook}.personal_token_id and (t.expires_at is null or t.expires_at > ${now}))
  when ${webhook}.grant_id is not null then not exists (select from app_grant g join account a on a.id = g.account_id
    where g.id = ${webhook}.grant_id and g.revoked_at is null and g.expires_at > ${now}
      and (g.tokens_ended_at is null or ${webhook}.created_at > g.tokens_ended_at)
      and ${sinceSignOut(sql`${webhook}.created_at`)})
  when ${webhook}.app_id is not null then exists (select from app
    where app.id = ${webhook}.app_id and app.deleted_at is not null)
  else false end`
