import { sql } from 'kysely'
import type { Fragment } from '../platform/database/define-statement.ts'

/**
 * The grant `g` by which an app made the change of the event `e`, for a reader who may know it: of those to whom the
 * event belongs, by which app they acted themselves. By which app a guest has answered is not the host's business.
 * @param mayKnow the condition of the reader: an app learns of its own changes only
 */
export const visibleActingGrant = (e: Fragment, mayKnow: Fragment): Fragment =>
  sql`(select g.id from app_grant g where g.id = ${e}.acting_grant_id and g.account_id = ${e}.account_id and (${mayKnow}))`
