import type { Endpoint } from '@parley/contract'
import {
  findMeetingRole,
  findMeetingRoleForApp,
  type MeetingPeople,
  type MeetingRight,
  type MeetingRole,
  type RightsOfPerson,
  rightsOfRole,
} from '@parley/rules/meetings/meeting-rights'
import { sql } from 'kysely'
import { type AuditEntry, audit } from '../access/audit.ts'
import { type Actor, actedThrough, actorOf, type Caller } from '../access/caller.ts'
import { namesUnverifiedParticipants } from '../access/trusted-address.ts'
import { emailLanguage, meetingOfHostEmail } from '../accounts/email-links/account-emails.ts'
import { dropEmail, queueEmail } from '../accounts/email-links/queue-email.ts'
import type { Config } from '../platform/config/config.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import type { Dependencies } from './dependencies.ts'
import { type FoundMeeting, findMeeting, lockMeeting, type Viewer } from './meeting-store.ts'

/** A request for a meeting: the caller, and the endpoint, which the audit log names. */
type RequestedAccess = { caller: Caller; request: { address: string }; endpoint: Endpoint; meetingId: string }

type AccessDependencies = Pick<Dependencies, 'clock' | 'random' | 'encryption' | 'config'>

/** A meeting that the caller may read. */
export type AccessedMeeting = {
  row: FoundMeeting
  /** The caller, the host in whose name guests are mailed, and who is charged. */
  actor: Actor
  /** The rights that the meeting gives. Rights of administration are not among them; only `require` considers these. */
  rights: Pick<RightsOfPerson, 'has'>
  /** The viewer for whom the meeting was found, to read it again. */
  viewer: Viewer
  /** Require a further right. @throws forbidden */
  require(right: MeetingRight, detail?: string): void
}

/** How often an administrator's view of the same meeting or list is recorded: a page reads it again at each visit. */
const viewIntervalMs = 60 * 60 * 1000

/** Changes within this time are one email to the host, as those to guests are. */
const hostEmailDelayMs = 2 * 60 * 1000

/**
 * Find a meeting with the caller's rights over it. This is the only place that finds meetings for administrators: a
 * handler that looks a meeting up by itself finds none that only administration opens.
 */
export async function findAccess(
  caller: Caller,
  config: Config,
  find: (viewer: Viewer) => Promise<FoundMeeting | undefined>,
): Promise<{ row: FoundMeeting; rights: RightsOfPerson; viewer: Viewer } | undefined> {
  const own = viewerOf(caller, config)
  const administers = caller.administrator && !isThroughApp(caller)
  const found = await find(own)
  if (found !== undefined) {
    const isOfTenant = found.host.tenantId === caller.tenantId
    const rights = rightsOfRole(foundRole(roleOf(found, caller)), administers && isOfTenant)
    return { row: found, rights, viewer: own }
  }
  if (!administers) return undefined
  const viewer = { ...own, administrator: true }
  const row = await find(viewer)
  return row && { row, rights: rightsOfRole('none', true), viewer }
}

/**
 * Open a meeting to read it. A view that administration permits is in the audit log before the reply.
 * @throws meeting_not_found, forbidden
 */
export async function openMeeting(
  database: Database,
  dependencies: AccessDependencies,
  access: RequestedAccess,
  right: MeetingRight = 'read',
  find = (viewer: Viewer, id: string) => findMeeting(database, id, viewer),
): Promise<AccessedMeeting> {
  const id = requireMeetingId(access.meetingId)
  const { opened, usedAdministration } = await accessOf(access, dependencies, (viewer) => find(viewer, id))
  opened.require(right)
  if (usedAdministration()) await inTransaction(database, (tx) => recordView(tx, dependencies, access, opened.row))
  return opened
}

/**
 * Lock a meeting and change it, in one transaction. What administration permits is recorded in that transaction, and
 * the host is mailed.
 * @throws meeting_not_found, forbidden
 */
export function changeMeeting<Result>(
  database: Database,
  dependencies: AccessDependencies,
  access: RequestedAccess,
  right: MeetingRight,
  change: (tx: Tx, opened: AccessedMeeting) => Promise<Result>,
): Promise<Result> {
  const id = requireMeetingId(access.meetingId)
  return inTransaction(database, async (tx) => {
    const { opened, usedAdministration } = await accessOf(access, dependencies, (viewer) => lockMeeting(tx, id, viewer))
    opened.require(right)
    const result = await change(tx, opened)
    if (usedAdministration()) await recordChange(tx, dependencies, access, { row: opened.row, right })
    return result
  })
}

async function accessOf(
  { caller }: RequestedAccess,
  { config }: AccessDependencies,
  find: (viewer: Viewer) => Promise<FoundMeeting | undefined>,
): Promise<{ opened: AccessedMeeting; usedAdministration(): boolean }> {
  const found = await findAccess(caller, config, find)
  if (found === undefined) throw problem('meeting_not_found')
  const { row, rights, viewer } = found
  // A caller who reads it by administration does everything else by it, too.
  let isUsed = rights.sourceOf('read') === 'administration'
  const opened: AccessedMeeting = {
    row,
    actor: actorOf(caller, row.host),
    rights,
    viewer,
    require(right, detail) {
      const source = rights.sourceOf(right)
      if (source === undefined) throw problem('forbidden', detail === undefined ? {} : { detail })
      isUsed ||= source === 'administration'
    },
  }
  return { opened, usedAdministration: () => isUsed }
}

const recordView = (tx: Tx, dependencies: AccessDependencies, access: RequestedAccess, row: FoundMeeting) =>
  auditView(tx, dependencies, access, { action: 'meeting.viewed', subjectId: row.host.id, meetingId: row.id })

type Look = { action: AuditEntry['action']; subjectId: string; meetingId?: string }

/** Record a view that administration permits, unless the same view was recorded a short time ago. */
export async function auditView(
  tx: Tx,
  { clock, random }: AccessDependencies,
  { caller, request, endpoint }: Omit<RequestedAccess, 'meetingId'>,
  { action, subjectId, meetingId }: Look,
): Promise<void> {
  const now = clock.now()
  const recent = await tx
    .selectFrom('auditEntry')
    .select('id')
    .where('subjectId', '=', subjectId)
    .where('actorId', '=', caller.accountId)
    .where('action', '=', action)
    .where('createdAt', '>', new Date(now.getTime() - viewIntervalMs))
    .$if(meetingId !== undefined, (looks) => looks.where(sql`detail ->> 'meetingId'`, '=', String(meetingId)))
    .limit(1)
    .executeTakeFirst()
  if (recent !== undefined) return
  const ofMeeting = meetingId !== undefined && { meetingId }
  await audit(tx, random, now, {
    tenantId: caller.tenantId,
    actorId: caller.accountId,
    subjectId,
    action,
    detail: { ...ofMeeting, endpoint: endpoint.name, ...actedThrough(caller) },
    address: request.address,
  })
}

type Administered = { row: FoundMeeting; right: MeetingRight }

async function recordChange(
  tx: Tx,
  dependencies: AccessDependencies,
  access: RequestedAccess,
  { row, right }: Administered,
): Promise<void> {
  const { caller, request, endpoint } = access
  const current = await tx.selectFrom('meeting').select('version').where('id', '=', row.id).executeTakeFirst()
  // A change to what the meeting is already shows it, and does nothing else.
  if (current?.version === row.version) return recordView(tx, dependencies, access, row)
  const isCancelled = right === 'cancel'
  await audit(tx, dependencies.random, dependencies.clock.now(), {
    tenantId: caller.tenantId,
    actorId: caller.accountId,
    subjectId: row.host.id,
    action: isCancelled ? 'meeting.cancelled' : 'meeting.changed',
    detail: { meetingId: row.id, endpoint: endpoint.name, ...actedThrough(caller) },
    address: request.address,
  })
  await mailHost(
    tx,
    dependencies,
    row,
    isCancelled ? 'meetingCancelledByAdministrator' : 'meetingChangedByAdministrator',
  )
}

/** The host is not mailed a cancellation by an administrator that was undone. */
export const dropCancellationEmail = (tx: Tx, meetingId: string) =>
  dropEmail(tx, emailKey('meetingCancelledByAdministrator', meetingId))

const emailKey = (kind: Parameters<typeof meetingOfHostEmail>[0], meetingId: string) => `${kind} ${meetingId}`

async function mailHost(
  tx: Tx,
  dependencies: AccessDependencies,
  { id, host }: FoundMeeting,
  kind: Parameters<typeof meetingOfHostEmail>[0],
): Promise<void> {
  const account = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', host.id)
    .where('disabledAt', 'is', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (account === undefined) return
  const language = emailLanguage(account.language)
  const email = meetingOfHostEmail(kind, {
    baseUrl: dependencies.config.baseUrl,
    to: account.email,
    language,
    meetingId: id,
  })
  await queueEmail(tx, dependencies, email, { key: emailKey(kind, id), delayMs: hostEmailDelayMs })
}

export const viewerOf = (caller: Caller, config: Config): Viewer => ({
  accountId: caller.accountId,
  tenantId: caller.tenantId,
  administrator: false,
  addressKey: trustedAddress(caller),
  namesEveryAddress: namesUnverifiedParticipants(config),
})

/** The role that the meeting gives to the caller. */
const roleOf = (row: MeetingPeople, caller: Caller): Exclude<MeetingRole, 'added'> => {
  const findRole = isThroughApp(caller) ? findMeetingRoleForApp : findMeetingRole
  return findRole({ accountId: caller.accountId, addressKey: trustedAddress(caller) }, row)
}

/** The rights that a meeting gives to the caller for whom `viewerOf` found it. */
export const rightsOf = (row: MeetingPeople, caller: Caller): Pick<RightsOfPerson, 'has'> =>
  rightsOfRole(foundRole(roleOf(row, caller)), false)

/**
 * The rights to show a meeting of a list. In the list of another person, an administrator has the same rights as in a
 * meeting that the administrator opened.
 */
export const rightsInList = ({ onlyOfTenant }: { onlyOfTenant: string | null }, row: MeetingPeople, caller: Caller) =>
  onlyOfTenant === null ? rightsOf(row, caller) : rightsOfRole(roleOf(row, caller), true)

/** What is found without a role is on the caller's list. */
const foundRole = (role: ReturnType<typeof roleOf>): MeetingRole => (role === 'none' ? 'added' : role)

/** The app that acts for the caller; null for a session or a personal token. */
export const appOf = ({ credential }: Caller): string | null => (credential.kind === 'oauth' ? credential.appId : null)

export const isThroughApp = (caller: Caller) => appOf(caller) !== null

const trustedAddress = (caller: Caller) => (caller.addressTrusted ? caller.addressKey : null)

/** A strong entity tag of `__v` (RFC 9110, 8.8.3). */
export const etagOf = ({ version }: { version: number }) => `"v${version}"`

/**
 * Check `If-Match` (RFC 9110, 13.1.1): the meeting must have the version that the caller has seen. Weak tags never
 * match.
 * @throws stale_version
 */
export function requireVersion(ifMatch: string | undefined, row: { version: number }) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.includes(etagOf(row))) throw problem('stale_version', { headers: { etag: etagOf(row) } })
}

/** Require a well-formed id. A malformed one is answered like an unknown one. @throws meeting_not_found */
export function requireMeetingId(text: string): string {
  if (!isUuid(text)) throw problem('meeting_not_found')
  return text
}
