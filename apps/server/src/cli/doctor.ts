import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { decryptAccountSecrets } from '../accounts/account/account-secrets.ts'
import { checkMailServer } from '../email/mail.ts'
import { countOrphanedDeliveries } from '../meetings/guest-mail-queue.ts'
import type { Config } from '../platform/config/config.ts'
import { findReplicationWarnings, requireUsableServer } from '../platform/database/check-server.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import {
  type AppliedMigration,
  readAppliedMigrations,
  requireCurrentSchema,
  versionOf,
} from '../platform/database/migrate.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { bindUdpPort } from '../platform/udp-port.ts'
import { createProviderCache } from '../sso/open-provider.ts'
import { type Dependencies, migrationsFolder, type Operator, withDatabase } from './operator.ts'

type Finding = { verdict: 'ok' | 'warning' | 'failure'; what: string; message: string }

const gibibyte = 1024 ** 3
/** A day of mails and logs can fill less. */
const minFreeBytes = 1 * gibibyte
/** Signatures and expiry use the service's clock, jobs the database's. */
const maxSkewMs = 5_000

/** Print what is right and wrong with everything that the service depends on. @returns 1 where something fails */
export async function runDoctor(dependencies: Dependencies): Promise<number> {
  const findings = await examine(dependencies)
  for (const { verdict, what, message } of findings) dependencies.say(`${verdict.padEnd(7)} ${what}: ${message}`)
  return findings.some(({ verdict }) => verdict === 'failure') ? 1 : 0
}

/** Check everything that the service depends on, and report the findings. Changes only what a start would change. */
async function examine(dependencies: Dependencies): Promise<Finding[]> {
  const { config, clock } = dependencies
  const findings: Finding[] = [examineAddress(dependencies)]
  findings.push(
    ...(await withDatabase(dependencies, examineDatabase, { schema: 'any' }).catch((error) => [
      failure('database', sentenceOf(error)),
    ])),
  )
  if (config.databaseUrl === undefined || config.smtpUrl === undefined) findings.push(await examineDisk(config))
  findings.push(await examineMail(dependencies), await examineMedia(dependencies))
  if (config.replyAddress !== undefined) findings.push(await examineReplies(config.replyAddress, config.inboundMail))
  if (config.provider !== undefined) {
    const { name, issuer } = config.provider
    const asked = createProviderCache(config.provider, clock)()
    findings.push(
      await asked.then(
        () => ok('provider', `${name} answers as ${issuer}.`),
        (error) => failure('provider', `${name} does not answer as ${issuer}: ${sentenceOf(error)}`),
      ),
    )
  }
  return findings
}

function examineAddress({ config: { baseUrl } }: Dependencies): Finding {
  const { protocol, hostname } = new URL(baseUrl)
  // Names that always mean this machine (RFC 6761, section 6.3): browsers treat them as secure.
  const isHere = /^(127\.0\.0\.1|\[::1\]|(.+\.)?localhost)$/.test(hostname)
  return protocol === 'https:' || isHere
    ? ok('address', `${baseUrl} stands in every link.`)
    : warning('address', `${baseUrl} is not https: passwords go over the network in the clear, passkeys do not work.`)
}

async function examineDatabase(operator: Operator): Promise<Finding[]> {
  const { pool, database, encryption, clock, config } = operator
  const applied = await readAppliedMigrations(pool)
  if (config.databaseUrl !== undefined) await requireUsableServer(pool)
  const durability = await findReplicationWarnings(pool)
  const before = clock.now().getTime()
  const { rows } = await pool.query<{ version: string; now: Date }>(
    `select current_setting('server_version') as version, clock_timestamp() as now`,
  )
  const [{ version, now } = { version: 'unknown', now: new Date(0) }] = rows
  const skewMs = Math.abs(now.getTime() - before)
  const named =
    config.databaseUrl === undefined
      ? `The private PostgreSQL ${version} in ${config.dataDir}`
      : `Your PostgreSQL ${version}`
  const schema = await examineSchema(applied, named)
  const account =
    schema.verdict === 'ok'
      ? await database.selectFrom('account').select(['id', 'sealedSecrets']).limit(1).executeTakeFirst()
      : undefined
  return [
    schema,
    ...durability.map((message) => warning('durability', message)),
    skewMs > maxSkewMs
      ? warning('clock', `The database's clock is ${Math.round(skewMs / 1000)} s off: set both by the same source.`)
      : ok('clock', 'The database’s clock agrees.'),
    ...(schema.verdict === 'ok' ? [examineKey(account, (row) => decryptAccountSecrets(encryption, row))] : []),
    ...(config.databaseUrl === undefined ? [examinePostgresRelease(version, clock.now())] : []),
    await examineJobs(operator, { countsOrphans: schema.verdict === 'ok' }),
  ]
}

/** The rows of another version cannot be interpreted, so none are read. */
async function examineSchema(applied: AppliedMigration[] | undefined, named: string): Promise<Finding> {
  if (applied === undefined) return warning('database', `${named} answers and is empty: the start makes its tables.`)
  try {
    await requireCurrentSchema(applied, migrationsFolder)
    return ok('database', `${named} answers and is up to date (${versionOf(applied)}).`)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return warning('database', `${named} answers. ${error.message}`)
  }
}

function examineKey<Row>(account: Row | undefined, open: (row: Row) => unknown): Finding {
  if (account === undefined) return ok('secret key', 'Nothing is encrypted with it yet.')
  try {
    open(account)
    return ok('secret key', 'It decrypts the secrets in the database.')
  } catch {
    return failure('secret key', 'It does not decrypt the secrets in the database. Put back the one it was made with.')
  }
}

/** Until a restart, the running version may be that from before an update. */
function examinePostgresRelease(running: string, now: Date): Finding {
  const { version, releasedOn } = installedPostgres
  if (running !== version) {
    return warning('postgres', `PostgreSQL ${running} runs, and ${version} is installed: start Parley again.`)
  }
  const later = releasesSince(releasedOn, now)
  if (later.length === 0)
    return ok('postgres', `${version} is of ${releasedOn}; by its calendar nothing newer is planned.`)
  const message = `The private PostgreSQL ${version} is of ${releasedOn}. By PostgreSQL's calendar there were releases on`
  return warning(
    'postgres',
    `${message} ${later.join(', ')}: see whether there is a newer Parley (doctor knows the calendar alone).`,
  )
}

const lateJobsStatement = defineStatement({
  name: 'count-late-jobs',
  parameters: {},
  columns: { givenUp: 'bigint', late: 'bigint' },
  text: () => sql`select count(*) filter (where attempts >= max_attempts and locked_at is null) as given_up,
      count(*) filter (where attempts < max_attempts and run_at < now() - interval '10 minutes') as late
    from graphile_worker.jobs`,
})

async function examineJobs(
  { pool, database }: Operator,
  { countsOrphans }: { countsOrphans: boolean },
): Promise<Finding> {
  const { rows } = await pool.query<{ known: boolean }>(
    `select to_regclass('graphile_worker.jobs') is not null as known`,
  )
  if (!rows[0]?.known) return ok('jobs', 'None was ever queued.')
  const [{ givenUp, late } = { givenUp: 0, late: 0 }] = await lateJobsStatement.executeOn(pool, {})
  const orphans = countsOrphans ? await countOrphanedDeliveries(database) : 0
  if (orphans > 0) {
    return warning(
      'jobs',
      `${orphans} mails to guests of meetings wait without a job that sends them: the command "mail send-waiting" queues them.`,
    )
  }
  if (givenUp > 0) return warning('jobs', `${givenUp} were given up; the log says why. ${late} are late.`)
  if (late > 0) return warning('jobs', `${late} have waited for more than ten minutes: no Parley runs, or mail hangs.`)
  return ok('jobs', 'None is late.')
}

/** The folder holds only the mail files then, and its free space would be read as the database's. */
const databaseDiskNotChecked = 'The disk of your PostgreSQL is not checked.'

async function examineDisk({ dataDir, databaseUrl }: Config): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = `${((bavail * bsize) / gibibyte).toFixed(1)} GiB are free in ${dataDir}.${databaseUrl === undefined ? '' : ` ${databaseDiskNotChecked}`}`
    return bavail * bsize < minFreeBytes ? warning('disk', free) : ok('disk', free)
  } catch (error) {
    if (databaseUrl !== undefined && codeOf(error) === 'ENOENT') return examineMissingFolder(dataDir)
    return failure('disk', `${dataDir} cannot be looked at: ${sentenceOf(error)}`)
  }
}

/** With an external database the folder is not needed before the first mail file. */
async function examineMissingFolder(dataDir: string): Promise<Finding> {
  const parent = await nearestFolder(dataDir)
  try {
    await access(parent, constants.W_OK | constants.X_OK)
    return ok('disk', `${dataDir} is not there yet: it is made with the first mail. ${databaseDiskNotChecked}`)
  } catch (error) {
    return failure('disk', `${dataDir} is not there, and cannot be made in ${parent}: ${sentenceOf(error)}`)
  }
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  if (parent === path) return path
  const isThere = await access(parent).then(
    () => true,
    () => false,
  )
  return isThere ? parent : nearestFolder(parent)
}

async function examineMail({ config: { smtpUrl, smtpTls } }: Dependencies): Promise<Finding> {
  if (smtpUrl === undefined)
    return warning('mail', 'There is no SMTP_URL: mails are not sent, but kept as files in DATA_DIR.')
  const refusal = await checkMailServer(smtpUrl, smtpTls)
  return refusal === undefined
    ? ok('mail', 'The mail server accepted the credentials.')
    : failure('mail', `The mail server does not take us: ${refusal}`)
}

/** Whether the mail server passes on the mail cannot be seen from here. */
async function examineReplies(replyAddress: string, inboundMail: Config['inboundMail']): Promise<Finding> {
  if (inboundMail === undefined)
    return ok(
      'answers',
      `Mail to ${replyAddress} is read by the command "mail receive" alone: there is no INBOUND_MAIL_PORT.`,
    )
  const place = `port ${inboundMail.port} of ${inboundMail.host}`
  switch (await checkInboundMail(inboundMail)) {
    case 'parley':
      return ok('answers', `Parley takes mail to ${replyAddress} at ${place}.`)
    case 'nothing':
      return ok('answers', `Nothing listens at ${place}; Parley will, to take mail to ${replyAddress}.`)
    case 'another program':
      return failure('answers', `Another program listens at ${place}: choose another INBOUND_MAIL_PORT.`)
  }
}

/** During calls Parley itself uses the port, which looks the same as another program here. */
async function examineMedia({ config: { livekit, mediaUdpPort } }: Dependencies): Promise<Finding> {
  if (livekit !== undefined) return ok('media', `Calls use LiveKit at ${livekit.url}, which doctor does not contact.`)
  if (mediaUdpPort === 0) return warning('media', 'MEDIA_UDP_PORT is 0: no firewall can know the port that calls use.')
  try {
    const socket = await bindUdpPort(mediaUdpPort)
    await socket[Symbol.asyncDispose]()
    return ok('media', `UDP port ${mediaUdpPort} is free. A firewall has to let it in, in both directions.`)
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    return warning('media', `UDP port ${mediaUdpPort} is in use by calls of this Parley, or else: ${error.message}`)
  }
}

const ok = (what: string, message: string): Finding => ({ verdict: 'ok', what, message })
const warning = (what: string, message: string): Finding => ({ verdict: 'warning', what, message })
const failure = (what: string, message: string): Finding => ({ verdict: 'failure', what, message })

/**
 * Our own errors are shown with their message, others by kind only, since a driver's message may contain an address.
 */
function sentenceOf(error: unknown): string {
  if (error instanceof StartProblem) return error.message
  return codeOf(error) ?? (Object(error) as { name?: string }).name ?? 'Error'
}

function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** Short, because an operator waits at a terminal. */
const timeoutMs = 5_000

/** Find out whether this service, another program, or nothing takes mail at a port. */
async function checkInboundMail({ host, port }: { host: string; port: number }) {
  const socket = connect({ host, port })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    await once(socket, 'connect', { signal })
    const [greeting] = await once(socket, 'data', { signal })
    return /^220 parley LMTP\b/.test(String(greeting)) ? 'parley' : 'another program'
  } catch {
    return socket.pending ? 'nothing' : 'another program'
  } finally {
    socket.destroy()
  }
}

/** The private PostgreSQL that this version of Parley installs; a test compares it with the packages. */
export const installedPostgres = { version: '18.4', releasedOn: '2026-05-14' }

const february = 1
const thursday = 4

/** The days of planned minor releases: the second Thursday of February, May, August and November. */
function plannedReleases(year: number): string[] {
  return [0, 3, 6, 9].map((months) => {
    const first = new Date(Date.UTC(year, february + months, 1)).getUTCDay()
    const day = 1 + ((thursday - first + 7) % 7) + 7
    return new Date(Date.UTC(year, february + months, day)).toISOString().slice(0, 10)
  })
}

/**
 * List the planned release days since the installed version, up to today. PostgreSQL also releases on other days and
 * may skip one: this follows its calendar without any network request.
 */
export function releasesSince(releasedOn: string, now: Date): string[] {
  const today = now.toISOString().slice(0, 10)
  const years = []
  for (let year = Number(releasedOn.slice(0, 4)); year <= now.getUTCFullYear(); year++) years.push(year)
  return years.flatMap(plannedReleases).filter((day) => day > releasedOn && day <= today)
}
