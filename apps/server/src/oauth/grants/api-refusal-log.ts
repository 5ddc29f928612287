import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { AppRefusal, NoteAppRefusal } from '../../access/app-refusals.ts'
import { type AppEvent, recordEventsOfApps } from '../../oauth-apps/events/app-event-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Random } from '../../platform/random.ts'
import type { Database } from '../../tables/tables.ts'

/** Refusals are gathered this long and written together, off the path of the requests. */
const gatheringMs = 1_000

/** What is beyond is a flood, of which the log shows enough already. */
const maxGathered = 200

/** The same refusal again tells nothing new: it is counted, and the number stands in the next line. */
export const repeatMs = 60_000
const maxRemembered = 10_000

/** Lines that an instance writes for one app in `repeatMs`. */
export const maxLinesOfApp = 20

type Gathered = { refusal: AppRefusal; repeated: number; now: Date }
type DeadToken = { hash: Buffer; appId: string; sandbox: boolean; cause: string }

export type ApiRefusalLog = { note: NoteAppRefusal; flush(): Promise<void> }

/**
 * Writes into an app's log why the API refused its calls: 401 for a token that has ended, 403 for a missing scope. A flood
 * costs one statement a second; a hash that is no token's leaves no line.
 */
export function createApiRefusalLog(options: {
  database: Database
  clock: Clock
  random: Random
  log: Logger
}): ApiRefusalLog {
  const { database, clock, random, log } = options
  let gathered: Gathered[] = []
  let timer: NodeJS.Timeout | undefined
  const seen = new Map<string, { since: number; repeated: number }>()
  const lines = new Map<string, { since: number; count: number }>()

  function note(refusal: AppRefusal) {
    const now = clock.now()
    const key = keyOf(refusal)
    const before = seen.get(key)
    if (before !== undefined && now.getTime() - before.since < repeatMs) {
      before.repeated++
      return
    }
    if (gathered.length >= maxGathered) return
    if (seen.size >= maxRemembered) seen.clear()
    seen.set(key, { since: now.getTime(), repeated: 0 })
    gathered.push({ refusal, repeated: before?.repeated ?? 0, now })
    timer ??= setTimeout(() => void flush(), gatheringMs).unref()
  }

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    const refusals = gathered
    gathered = []
    if (refusals.length === 0) return
    try {
      const dead = await findDeadTokens(
        database,
        refusals.flatMap(({ refusal }) => (refusal.kind === 'dead_token' ? [refusal.tokenHash] : [])),
        clock.now(),
      )
      const events = refusals.flatMap((one): AppEvent[] => {
        const told = tell(one, dead)
        return told !== undefined && hasRoom(told.appId, one.now) ? [{ ...told, random }] : []
      })
      if (events.length > 0) await recordEventsOfApps(database, events)
    } catch (error) {
      log.warn({ err: error }, 'why the API refused an app could not be written')
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

  return { note, flush }
}

const keyOf = (refusal: AppRefusal) =>
  refusal.kind === 'dead_token'
    ? `${refusal.endpoint} ${refusal.tokenHash.toString('hex')}`
    : `${refusal.endpoint} ${refusal.appId} ${refusal.sandbox} ${refusal.missing.join(' ')}`

function tell({ refusal, repeated, now }: Gathered, dead: readonly DeadToken[]): Omit<AppEvent, 'random'> | undefined {
  const { requestId, endpoint } = refusal
  const more = repeated === 0 ? '' : ` The same was refused ${repeated} times more since the line before.`
  const common = { kind: 'api_refused', requestId, now }
  if (refusal.kind === 'insufficient_scope') {
    const { appId, sandbox, missing } = refusal
    const cause = `${endpoint}: 403 insufficient_scope. The access token does not carry ${missing.join(' and ')}.${more}`
    return { ...common, appId, sandbox, cause }
  }
  const token = dead.find(({ hash }) => hash.equals(refusal.tokenHash))
  if (token === undefined) return undefined
  const cause = `${endpoint}: 401 invalid_token. ${token.cause}${more}`
  return { ...common, appId: token.appId, sandbox: token.sandbox, cause }
}

/** Whose these tokens were, and what has ended them; what was never a token is not found. */
async function findDeadTokens(database: Database, hashes: readonly Buffer[], now: Date): Promise<DeadToken[]> {
  if (hashes.length === 0) return []
  const { rows } = await sql<DeadToken>`
    select t.token_hash as hash, g.app_id, g.sandbox, case
      when p.status = 'suspended' then 'The app is suspended.'
      when g.revoked_at is not null then 'The app was disconnected.'
      when f.ended_at is not null then 'The tokens of this sign-in were revoked.'
      when t.expires_at <= ${now} then 'The access token has expired: refresh it.'
      when not o.oauth_enabled or o.disabled_at is not null then 'OAuth is not enabled for the owner of the app.'
      else 'The user was disabled, or has signed out everywhere.' end as cause
    from access_token t join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id
      join app p on p.id = g.app_id join account o on o.id = p.owner_id
    where t.token_hash = any(${[...hashes]}::bytea[])`.execute(database)
  return rows
}
