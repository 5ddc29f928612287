import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { seriesOf } from '@parley/rules/meetings/read-meeting-request'
import { toMeetingValues } from '@parley/rules/meetings/update-plan'
import { type Exceptions, noExceptions, occurrenceAt, occurrenceStarts } from '@parley/rules/recurrence/recurrence'
import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import { addressKey } from '@parley/rules/text/email-address'
import { audit } from '../../access/audit.ts'
import { serviceActorFor } from '../../access/caller.ts'
import { type AccountRow, findAccountByAddress, lockAccount } from '../../accounts/account/account-store.ts'
import { insertMeeting } from '../../meetings/create-meeting.ts'
import { insertCancelledDates, putChange } from '../../meetings/exception-store.ts'
import { reserveQuota, textBytesOf } from '../../meetings/meeting-quota.ts'
import { encryptSecrets, newMeetingSecrets } from '../../meetings/meeting-secrets.ts'
import { readRequestedMeeting } from '../../meetings/requested-meeting.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { ProblemError } from '../../platform/http/problem.ts'
import { StartProblem } from '../../platform/start-problem.ts'
import { inviteAddress } from '../account-commands.ts'
import { type Dependencies, type Operator, withDatabase } from '../operator.ts'
import { type FoundEntry, type FoundMeeting, type FoundPerson, Unreadable } from './found-entry.ts'
import { maxComparedDays, readCalendar } from './read-calendar.ts'
import { readTable } from './read-table.ts'

/** More than a calendar of ten years with long descriptions. */
const maxFileBytes = 50 * 1024 * 1024

export type ImportOptions = {
  /** The address of the account whose meetings these are, or that invites these people. */
  host: string | undefined
  /** The host's address in the file. */
  organizer: string | undefined
  dryRun: boolean
  notify: boolean
  /** Take over what is over. */
  past: boolean
  /** Take over entries without guests and links. */
  appointments: boolean
  dayFirst: boolean
}

/** What became of an entry, as a line of the report. */
type Outcome = { kind: 'created' | 'skipped' | 'refused'; text: string; notes?: readonly string[] }

/**
 * Import meetings from a calendar or a table, or invite the people of a table. Each entry is a transaction; with
 * `dryRun` it is rolled back, so that the report is that of the same steps. A second run creates nothing twice.
 *
 * @returns 1 if an entry was refused
 * @throws StartProblem
 */
export const importFile = (dependencies: Dependencies, path: string, options: ImportOptions): Promise<number> =>
  withDatabase(dependencies, async (operator) => {
    const { database, config, say } = operator
    const host = options.host === undefined ? undefined : await findHost(operator, options.host)
    const context = {
      defaultZone: host?.timeZone || 'Etc/UTC',
      timeZoneAliases: config.timeZoneAliases,
      order: options.dayFirst ? ('day-first' as const) : undefined,
    }
    const { entries, notes } = await readEntries(path, context)
    for (const note of notes) say(`note     ${note}`)
    const importing: Importing = {
      operator,
      options,
      host,
      file: basename(path),
      audited: new Set(),
      now: operator.clock.now(),
    }
    const counts = { created: 0, skipped: 0, refused: 0 }
    for (const entry of entries) {
      const outcome = await importEntry(importing, entry)
      counts[outcome.kind] += 1
      say(`${outcome.kind.padEnd(8)} ${entry.place}: ${outcome.text}`)
      for (const note of outcome.notes ?? []) say(`  note   ${note}`)
    }
    const ofDatabase = await database.selectFrom('account').select('id').limit(1).executeTakeFirst()
    if (ofDatabase === undefined) say('There is no account yet: create the first one, and import again.')
    const would = options.dryRun ? ' (--dry-run: nothing is changed)' : ''
    say(`${counts.created} created, ${counts.skipped} skipped, ${counts.refused} refused${would}`)
    return counts.refused > 0 ? 1 : 0
  })

/** Read a file by its content: its name may say anything. @throws StartProblem */
async function readEntries(path: string, context: Parameters<typeof readTable>[1]) {
  const text = await readText(path)
  try {
    if (/^BEGIN:VCALENDAR/i.test(text.trimStart())) return { entries: await readCalendar(text, context), notes: [] }
    return readTable(text, context)
  } catch (error) {
    if (error instanceof Unreadable) throw new StartProblem(`${path} cannot be imported. ${error.message}`)
    throw error
  }
}

/** Spreadsheets write UTF-16 with a mark as well. @throws StartProblem */
async function readText(path: string): Promise<string> {
  const file = await open(path).catch((error: Error) => {
    throw new StartProblem(`${path} cannot be read: ${error.message}`)
  })
  try {
    const { size } = await file.stat()
    if (size > maxFileBytes) throw new StartProblem(`${path} is larger than ${maxFileBytes / 1024 / 1024} MB.`)
    const bytes = await file.readFile()
    const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
    // The decoder takes the mark away.
    return new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
  } finally {
    await file.close()
  }
}

/** @throws StartProblem */
async function findHost({ database }: Operator, email: string): Promise<AccountRow> {
  const account = await findAccountByAddress(database, addressKey(email))
  if (account === undefined || account.deletedAt !== null) throw new StartProblem(`There is no account of ${email}.`)
  if (account.disabledAt !== null) throw new StartProblem(`The account of ${email} is disabled. Enable it first.`)
  return account
}

type Importing = {
  operator: Operator
  options: ImportOptions
  host: AccountRow | undefined
  file: string
  /** The accounts whose import is in the audit log already. */
  audited: Set<string>
  now: Date
}

/** Ends the transaction of a trial. */
class Rollback extends Error {}

async function importEntry(importing: Importing, entry: FoundEntry): Promise<Outcome> {
  if ('reason' in entry) return { kind: entry.kind, text: `${printable(entry.topic)}: ${printable(entry.reason)}` }
  const { operator, options } = importing
  let outcome: Outcome | undefined
  try {
    await inTransaction(operator.database, async (tx) => {
      outcome =
        entry.kind === 'person' ? await importPerson(tx, importing, entry) : await importMeeting(tx, importing, entry)
      if (options.dryRun) throw new Rollback()
    })
  } catch (error) {
    if (error instanceof ProblemError) {
      const name = entry.kind === 'person' ? entry.email : entry.topic
      return { kind: 'refused', text: `${printable(name)}: ${error.message}` }
    }
    if (!(error instanceof Rollback)) throw error
  }
  if (outcome === undefined) throw new Error('The transaction ended without an outcome')
  return outcome
}

/** Invite a person as `account invite` does, with the printed link or an email. */
async function importPerson(
  tx: Tx,
  { operator, options, host, now }: Importing,
  { email }: FoundPerson,
): Promise<Outcome> {
  if (operator.config.signUp === 'closed') throw new StartProblem('SIGN_UP is closed: invitations have no effect.')
  if (options.notify && host === undefined)
    throw new StartProblem('Name the account that invites these people: --host EMAIL.')
  const invited = await inviteAddress(tx, operator, { email, inviter: options.notify ? host : undefined, now })
  switch (invited.kind) {
    case 'has-account':
      return { kind: 'skipped', text: `${email}: has an account` }
    case 'is-invited':
      return { kind: 'skipped', text: `${email}: was invited on ${invited.at.toISOString().slice(0, 10)}` }
    case 'invited':
      return {
        kind: 'created',
        text: options.notify || options.dryRun ? `${email}: invited` : `${email}\t${invited.link}`,
      }
  }
}

/** The field of our violations, as calendars and tables call it. */
const namesInFiles: Readonly<Record<string, string>> = {
  topic: 'the title',
  startTime: 'the start',
  endTime: 'the end',
  participants: 'the guests',
  repeatOptions: 'the rule',
}

async function importMeeting(tx: Tx, importing: Importing, found: FoundMeeting): Promise<Outcome> {
  const { operator, options, now } = importing
  const { config, random, encryption } = operator
  const named = printable(found.topic)
  const skipped = (reason: string): Outcome => ({ kind: 'skipped', text: `${named}: ${reason}` })
  const refused = (reason: string): Outcome => ({ kind: 'refused', text: `${named}: ${reason}` })
  const host = await hostOf(tx, importing, found)
  if (typeof host === 'string') return skipped(host)
  if (found.isAppointment && !options.appointments)
    return skipped('has neither guests nor a link to a call: --appointments takes these over')
  const parsed = readRequestedMeeting(found.body, {
    hostAddressKey: host.emailKey ?? undefined,
    profileTimeZone: host.timeZone,
    timeZoneAliases: config.timeZoneAliases,
  })
  if (parsed.violations !== undefined) return refused(parsed.violations.map(sentenceOf).join(' '))
  const { schedule } = parsed.value
  const plain = seriesOf(schedule, noExceptions)
  if (found.days !== undefined && !isSameDays(plain, found.days))
    return skipped('has a rule that Parley cannot express: its dates would be others')
  const isDate = (start: Date) => occurrenceAt(plain, start) !== undefined
  const exceptions: Exceptions = {
    cancelled: found.cancelled.filter(isDate),
    changed: found.changed.filter(({ originalStart }) => isDate(originalStart)),
  }
  const values = toMeetingValues(parsed.value, exceptions)
  if (values.overAt !== 'infinity' && values.overAt <= now && !options.past)
    return skipped('is over: --past takes these over')
  await lockAccount(tx, host.id)
  const id = meetingIdOf(host.id, found.uid)
  const former = await tx.selectFrom('meeting').select('cancelledAt').where('id', '=', id).executeTakeFirst()
  if (former !== undefined)
    return skipped(former.cancelledAt === null ? 'was imported before' : 'was imported before, and is cancelled')
  const actor = serviceActorFor(host)
  const meeting = {
    ...values,
    id,
    appId: null,
    sealedSecrets: encryptSecrets(encryption, id, newMeetingSecrets(random)),
    replyAddress: config.replyAddress ?? null,
    createdAt: now,
    continues: null,
  }
  const added = { meetings: 1, participants: values.participants.length, textBytes: textBytesOf(values) }
  await reserveQuota(tx, config, host.id, added)
  // The limits of a day are for people who might bother others, not for the operator.
  const unlimited = { config: { ...config, rateLimits: false }, random }
  await insertMeeting(tx, unlimited, actor, meeting, {
    namesEveryAddress: false,
    exceptions,
    notifies: options.notify,
  })
  await insertCancelledDates(tx, id, exceptions.cancelled, actor, now)
  for (const change of exceptions.changed) await putChange(tx, id, change, actor, now)
  await auditImport(tx, importing, host)
  const lost = found.cancelled.length + found.changed.length - exceptions.cancelled.length - exceptions.changed.length
  const notes = lost === 0 ? found.notes : [...found.notes, `${lost} exceptions are no dates of its rule`]
  const local = new Date(wallClockIn(schedule.timeZoneIana).read(schedule.startsAt.getTime()))
  const repeat = schedule.rule.repeat === 'none' ? '' : `, ${schedule.rule.repeat}`
  const start = `${local.toISOString().slice(0, 16).replace('T', ' ')} ${schedule.timeZoneIana}`
  return { kind: 'created', text: `${named} (${start}${repeat})`, notes: notes.map(printable) }
}

/** The account whose meeting it is, or why it is not imported. */
async function hostOf(tx: Tx, { options, host }: Importing, { organizer }: FoundMeeting): Promise<AccountRow | string> {
  if (host !== undefined) {
    const own = [host.email, options.organizer].flatMap((email) => (email === undefined ? [] : [addressKey(email)]))
    if (organizer === undefined || own.includes(addressKey(organizer))) return host
    return `is a meeting of ${printable(organizer)}: where this is an address of the host, add --organizer`
  }
  if (organizer === undefined) return 'does not say whose meeting it is: --host EMAIL does'
  const account = await findAccountByAddress(tx, addressKey(organizer))
  const isUsable = account !== undefined && account.deletedAt === null && account.disabledAt === null
  return isUsable ? account : `there is no account of ${printable(organizer)}`
}

function sentenceOf({ path, message }: { path: string; message: string }): string {
  const [, field = ''] = path.split('/')
  return `${namesInFiles[field] ?? field}: ${message}`
}

/** Whether our rule has the days that the file's rule has, as far as they were compared. */
function isSameDays(series: Parameters<typeof occurrenceStarts>[0], days: readonly string[]): boolean {
  const clock = wallClockIn(series.timeZone)
  const own = [...occurrenceStarts(series).take(maxComparedDays)]
  const ownDays = own.map((startMs) => new Date(clock.read(startMs)).toISOString().slice(0, 10))
  return ownDays.join() === days.join()
}

/**
 * The id of an imported meeting: a UUID of its name in the file, in the namespace of its host (RFC 9562, 5.5). A second
 * import finds the first one's meeting by it.
 */
export function meetingIdOf(hostId: string, uid: string): string {
  const namespace = Buffer.from(hostId.replaceAll('-', ''), 'hex')
  const bytes = createHash('sha1').update(namespace).update(uid).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Record once for each host that an operator has put meetings into the account. */
async function auditImport(
  tx: Tx,
  { operator, options, file, audited, now }: Importing,
  host: AccountRow,
): Promise<void> {
  if (options.dryRun || audited.has(host.id)) return
  audited.add(host.id)
  const entry = { tenantId: host.tenantId, actorId: null, subjectId: host.id, address: '' }
  const detail = { importedFrom: file, by: 'operator' }
  await audit(tx, operator.random, now, { ...entry, action: 'account.updated', detail })
}

/** Text of a file, without what would command the terminal. */
const printable = (text: string): string => text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
