import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { AppRefusal, RecordAppRefusal } from '../../access/app-refusals.ts'
import { ownerActive } from '../../access/credentials/live-grant.ts'
import { type AppEvent, recordEventsOfApps } from '../../oauth-apps/events/app-event-store.ts'
import type { Clock } from '../../platform/clock.ts'
import { createDelayedFlush } from '../../platform/delayed-flush.ts'
import type { Random } from '../../platform/random.ts'
import type { Database } from '../../tables/tables.ts'

/** Collect refusals for this long and write them in one statement, outside the requests. */
const flushDelayMs = 1_000

/** Refusals beyond this are dropped: the log shows enough of a flood. */
const maxPending = 200

/** Count repetitions of a refusal within this time, and report the number with its next line. */
export const repeatMs = 60_000
const maxRemembered = 10_000

/** The maximum of lines that an instance writes for one app within `repeatMs`. */
export const maxLinesOfApp = 20

type PendingRefusal = { refusal: AppRefusal; repeated: number; now: Date }
type DeadToken = { hash: Buffer; appId: string; sandbox: boolean; cause: string }

type ApiRefusalLog = { record: RecordAppRefusal; flush(): Promise<void> }

/**
 * Record in an app's event log why the API refused its calls: 401 for a token that has ended or is for another
 * resource, 403 for a missing scope.
 * A flood costs one statement a second; hashes of unknown tokens leave no line.
 */
export function createApiRefusalLog(options: {
  database: Database
  clock: Clock
  random: Random
  log: Logger
}): ApiRefusalLog {
  const { database, clock, random, log } = options
  let pending: PendingRefusal[] = []
  const lastLogged = new Map<string, { since: number; repeated: number }>()
  const lines = new Map<string, { since: number; count: number }>()

  function record(refusal: AppRefusal) {
    const now = clock.now()
    const key = keyOf(refusal)
    const before = lastLogged.get(key)
    if (before !== undefined && now.getTime() - before.since < repeatMs) {
      before.repeated++
      return
    }
    if (pending.length >= maxPending) return
    if (lastLogged.size >= maxRemembered) lastLogged.clear()
    lastLogged.set(key, { since: now.getTime(), repeated: 0 })
    pending.push({ refusal, repeated: before?.repeated ?? 0, now })
    schedule()
  }

  const { schedule, flush } = createDelayedFlush(flushDelayMs, writePending)

  async function writePending() {
    const refusals = pending
    pending = []
    if (refusals.length === 0) return
    try {
      const dead = await findDeadTokens(
        database,
        refusals.flatMap(({ refusal }) => (refusal.kind === 'dead_token' ? [refusal.tokenHash] : [])),
        clock.now(),
      )
      const events = refusals.flatMap((pendingRefusal): AppEvent[] => {
        const event = toAppEvent(pendingRefusal, dead)
        return event !== undefined && hasRoom(event.appId, pendingRefusal.now) ? [{ ...event, random }] : []
      })
      if (events.length > 0) await recordEventsOfApps(database, events)
    } catch (error) {
      log.warn({ err: error }, 'failed to record why the API refused an app')
    }
  }

  function hasRoom(appId: string, now: Date): boolean {
    if (lines.size >= maxRemembered) lines.clear()
    const before = lines.get(appId)
    const current =
      before !== undefined && now.getTime() - before.since < repeatMs ? before : { since: now.getTime(), count: 0 }
    current.count++
    lines.set(appId, current)
    return current.count <= maxLinesOfApp
  }

  return { record, flush }
}

const keyOf = (refusal: AppRefusal) =>
  refusal.kind === 'dead_token'
    ? `${refusal.endpoint} ${refusal.tokenHash.toString('hex')}`
    : `${refusal.endpoint} ${refusal.appId} ${refusal.sandbox} ${'missing' in refusal ? refusal.missing.join(' ') : refusal.kind}`

function toAppEvent(
  { refusal, repeated, now }: PendingRefusal,
  dead: readonly DeadToken[],
): Omit<AppEvent, 'random'> | undefined {
  const { requestId, endpoint } = refusal
  const more = repeated === 0 ? '' : ` The same was refused ${repeated} times more since the line before.`
  const common = { kind: 'api_refused', requestId, now }
  if (refusal.kind === 'insufficient_scope') {
    const { appId, sandbox, missing } = refusal
    const cause = `${endpoint}: 403 insufficient_scope. The access token does not carry ${missing.join(' and ')}.${more}`
    return { ...common, appId, sandbox, cause }
  }
  if (refusal.kind === 'wrong_resource') {
    const { appId, sandbox, resource } = refusal
    const server = resource === 'api' ? 'the API; request one without resource' : 'the MCP server; name it as resource'
    const cause = `${endpoint}: 401 invalid_token. The access token is not for ${server}.${more}`
    return { ...common, appId, sandbox, cause }
  }
  const token = dead.find(({ hash }) => hash.equals(refusal.tokenHash))
  if (token === undefined) return undefined
  const cause = `${endpoint}: 401 invalid_token. ${token.cause}${more}`
  return { ...common, appId: token.appId, sandbox: token.sandbox, cause }
}

/** Find the apps of ended tokens and why the tokens ended; unknown hashes are absent. */
async function findDeadTokens(database: Database, hashes: readonly Buffer[], now: Date): Promise<DeadToken[]> {
  if (hashes.length === 0) return []
  const { rows } = await sql<DeadToken>`
    select t.token_hash as hash, g.app_id, g.sandbox, case
      when p.status = 'suspended' then 'The app is suspended.'
      when g.revoked_at is not null then 'The app was disconnected.'
      when f.ended_at is not null then 'The tokens of this sign-in were revoked.'
      when t.expires_at <= ${now} then 'The access token has expired: refresh it.'
      when not ${ownerActive} then 'OAuth is not enabled for the owner of the app.'
      else 'The user was disabled, or has signed out everywhere.' end as cause
    from access_token t join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id
      join app p on p.id = g.app_id left join account o on o.id = p.owner_id
    where t.token_hash = any(${[...hashes]}::bytea[])`.execute(database)
  return rows
}
