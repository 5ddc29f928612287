import type { Endpoint } from '@parley/contract'
import { type MeetingRight, type RightsOfPerson, rightsOfRole } from '@parley/rules/meetings/meeting-rights'
import { sql } from 'kysely'
import { type AuditEntry, audit } from '../../access/audit.ts'
import { type Actor, actedThrough, actorOf, type Caller } from '../../access/caller.ts'
import type { Service } from '../../access/service.ts'
import { emailLanguage, meetingOfHostEmail } from '../../accounts/email-links/account-emails.ts'
import { dropEmail, queueEmail } from '../../accounts/email-links/queue-email.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { requireMeetingId } from '../meeting-id.ts'
import { type FoundMeeting, findMeeting, lockMeeting } from '../meeting-store.ts'
import { foundRole, isThroughApp, roleOf, type Viewer, viewerOf } from './meeting-viewer.ts'

/** Who asks for a meeting, and by which endpoint, which the audit log names. */
type Asking = { caller: Caller; request: { address: string }; endpoint: Endpoint; meetingId: string }

type Dependencies = Pick<Service, 'clock' | 'random' | 'encryption' | 'config'>

/** A meeting that the caller may read. */
export type AccessedMeeting = {
  row: FoundMeeting
  /** The caller, the host in whose name guests are mailed, and who is charged. */
  actor: Actor
  /** The rights that the meeting gives; those of administration show nothing and are had by `require` only. */
  rights: Pick<RightsOfPerson, 'has'>
  /** As whom the meeting was found, to read it again. */
  viewer: Viewer
  /** Require a further right. @throws forbidden */
  require(right: MeetingRight, detail?: string): void
}

/** How often a look of one administrator at the same meeting or list is recorded: a page reads it again at each visit. */
const lookIntervalMs = 60 * 60 * 1000

/** Changes within this time are one email to the host, as those to guests are. */
const hostEmailDelayMs = 2 * 60 * 1000

/**
 * Find a meeting with the caller's rights over it. This is the only place that finds meetings for administrators: a
 * handler that looks a meeting up by itself finds none that only administration opens.
 */
export async function findAccess(
  caller: Caller,
  config: Service['config'],
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
 * Open a meeting to read it. A look that administration permits is in the audit log before the reply.
 * @throws meeting_not_found, forbidden
 */
export async function openMeeting(
  database: Database,
  service: Dependencies,
  asking: Asking,
  right: MeetingRight = 'read',
  find = (viewer: Viewer, id: string) => findMeeting(database, id, viewer),
): Promise<AccessedMeeting> {
  const id = requireMeetingId(asking.meetingId)
  const { opened, usedAdministration } = await accessOf(asking, service, (viewer) => find(viewer, id))
  opened.require(right)
  if (usedAdministration()) await inTransaction(database, (tx) => recordLook(tx, service, asking, opened.row))
  return opened
}

/**
 * Lock a meeting and change it, in one transaction. What administration permits is recorded in that transaction, and
 * the host is mailed.
 * @throws meeting_not_found, forbidden
 */
export function changeMeeting<Result>(
  database: Database,
  service: Dependencies,
  asking: Asking,
  right: MeetingRight,
  change: (tx: Tx, opened: AccessedMeeting) => Promise<Result>,
): Promise<Result> {
  const id = requireMeetingId(asking.meetingId)
  return inTransaction(database, async (tx) => {
    const { opened, usedAdministration } = await accessOf(asking, service, (viewer) => lockMeeting(tx, id, viewer))
    opened.require(right)
    const result = await change(tx, opened)
    if (usedAdministration()) await recordChange(tx, service, asking, { row: opened.row, right })
    return result
  })
}

async function accessOf(
  { caller }: Asking,
  { config }: Dependencies,
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

const recordLook = (tx: Tx, service: Dependencies, asking: Asking, row: FoundMeeting) =>
  auditLook(tx, service, asking, { action: 'meeting.viewed', subjectId: row.host.id, meetingId: row.id })

type Look = { action: AuditEntry['action']; subjectId: string; meetingId?: string }

/** Record a look that administration permits, unless the same look was recorded a short time ago. */
export async function auditLook(
  tx: Tx,
  { clock, random }: Dependencies,
  { caller, request, endpoint }: Omit<Asking, 'meetingId'>,
  { action, subjectId, meetingId }: Look,
): Promise<void> {
  const now = clock.now()
  const recent = await tx
    .selectFrom('auditEntry')
    .select('id')
    .where('subjectId', '=', subjectId)
    .where('actorId', '=', caller.accountId)
    .where('action', '=', action)
    .where('createdAt', '>', new Date(now.getTime() - lookIntervalMs))
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
  service: Dependencies,
  asking: Asking,
  { row, right }: Administered,
): Promise<void> {
  const { caller, request, endpoint } = asking
  const current = await tx.selectFrom('meeting').select('version').where('id', '=', row.id).executeTakeFirst()
  // A change to what the meeting is already shows it, and does nothing else.
  if (current?.version === row.version) return recordLook(tx, service, asking, row)
  const isCancelled = right === 'cancel'
  await audit(tx, service.random, service.clock.now(), {
    tenantId: caller.tenantId,
    actorId: caller.accountId,
    subjectId: row.host.id,
    action: isCancelled ? 'meeting.cancelled' : 'meeting.changed',
    detail: { meetingId: row.id, endpoint: endpoint.name, ...actedThrough(caller) },
    address: request.address,
  })
  await mailHost(tx, service, row, isCancelled ? 'meetingCancelledByAdministrator' : 'meetingChangedByAdministrator')
}

/** The host is not mailed a cancellation by an administrator that was undone. */
export const dropCancellationEmail = (tx: Tx, meetingId: string) =>
  dropEmail(tx, emailKey('meetingCancelledByAdministrator', meetingId))

const emailKey = (kind: Parameters<typeof meetingOfHostEmail>[0], meetingId: string) => `${kind} ${meetingId}`

async function mailHost(
  tx: Tx,
  service: Dependencies,
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
    baseUrl: service.config.baseUrl,
    to: account.email,
    language,
    meetingId: id,
  })
  await queueEmail(tx, service, email, { key: emailKey(kind, id), delayMs: hostEmailDelayMs })
}
