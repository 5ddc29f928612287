import { isEmailAddress } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { linkMailJob } from '../accounts/email-links/mailed-links.ts'
import { createMailer } from '../email/mail.ts'
import { sendMailJob } from '../email/mail-job.ts'
import { createMailReceiver, maxMailBytes } from '../invitations/replies/receive-mail.ts'
import { queueOrphanedDeliveries } from '../meetings/guest-mail-queue.ts'
import { readDatabaseFailure } from '../platform/database/database-failure.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { typed } from '../platform/database/tables.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type Dependencies, withDatabase } from './operator.ts'

/** What to do with the unsent mails in a backup. */
export type WaitingMails = 'send' | 'drop' | 'refuse'

/** Guests who were still to be mailed about a meeting, and mails to accounts, such as links and notifications. */
export type WaitingCount = { guests: number; accountMails: number }

/** The name of the queued mails to accounts in a backup: the mails are jobs, not a table. */
export const accountMailsName = 'waiting_account_mail'

const accountMailTasks = [sendMailJob.name, linkMailJob.name]

/** A queued mail to an account in a backup. Secrets in the payload are encrypted with the secret key. */
type AccountMail = { task: string; payload: unknown; key: string | null; run_at: string; max_attempts: number }

const guestsStatement = defineStatement({
  name: 'count-waiting-guests',
  parameters: {},
  columns: { guests: 'integer' },
  text: () => sql`select count(*)::integer as guests from public.guest_delivery
    where pending or reminder_for is not null`,
})

/** Count the unsent mails in the tables that `client` sees. */
export async function countWaiting(client: Pool | PoolClient): Promise<WaitingCount> {
  const accountMails = (await readAccountMails(client)).length
  const [counted] = await guestsStatement.executeOn(client, {})
  return { guests: counted?.guests ?? 0, accountMails }
}

const accountMailsStatement = defineStatement({
  name: 'read-account-mails',
  parameters: { tasks: 'text[]' },
  columns: { line: 'text' },
  text: (
    p,
  ) => sql`select json_build_object('task', t.identifier, 'payload', j.payload, 'key', j.key, 'run_at', j.run_at,
      'max_attempts', j.max_attempts)::text as line
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = any (${p.tasks}) and j.attempts < j.max_attempts order by j.id`,
})

/** Read the queued mails to accounts as JSON, in queue order; none without graphile-worker's tables. */
export async function readAccountMails(client: Pool | PoolClient): Promise<string[]> {
  if (!(await hasTable(client, 'graphile_worker._private_jobs'))) return []
  const rows = await accountMailsStatement.executeOn(client, { tasks: accountMailTasks })
  return rows.map(({ line }) => line)
}

const hasTableStatement = defineStatement({
  name: 'has-table',
  parameters: { name: 'text' },
  columns: { found: 'boolean' },
  text: (p) => sql`select to_regclass(${p.name}) is not null as found`,
})

async function hasTable(client: Pool | PoolClient, name: string): Promise<boolean> {
  const [table] = await hasTableStatement.executeOn(client, { name })
  return table?.found === true
}

const queueStatement = defineStatement({
  name: 'queue-account-mail',
  parameters: {
    task: 'text',
    payload: typed<string>('json'),
    key: 'text?',
    runAt: typed<string>('timestamptz'),
    maxAttempts: 'integer',
  },
  text: (p) => sql`select graphile_worker.add_job(identifier => ${p.task}, payload => ${p.payload}, job_key => ${p.key},
    run_at => ${p.runAt}, max_attempts => ${p.maxAttempts})`,
})

/** Queue mails to accounts again. The Message-ID is derived from the payload, and stays the same. */
export async function queueAccountMails(client: Pool | PoolClient, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { task, payload, key, run_at: runAt, max_attempts: maxAttempts } = JSON.parse(line) as AccountMail
    if (!accountMailTasks.includes(task)) throw new StartProblem(`The backup holds a job that is no mail: ${task}.`)
    await queueStatement.executeOn(client, { task, payload: JSON.stringify(payload), key, runAt, maxAttempts })
  }
}

/**
 * Require the operator's choice: nothing in a backup tells a restore after a loss, which must send the mails, from a
 * copy of a service that still sends them.
 * @throws StartProblem when there are unsent mails and no choice
 */
export function requireDecision({ guests, accountMails }: WaitingCount, choice: WaitingMails): void {
  if (choice !== 'refuse' || guests + accountMails === 0) return
  throw new StartProblem(
    `The backup holds ${mailsOf({ guests, accountMails })} not sent when it was made. Say what becomes of them: ` +
      'restore --send-waiting FILE sends them as soon as Parley runs, for a service that is gone; restore --drop-waiting ' +
      'FILE does not, where the service that was backed up still runs and sends them itself.',
  )
}

/** Format the counts: '3 mails to guests of meetings and 1 mail to an account that were'. */
export function mailsOf({ guests, accountMails }: WaitingCount): string {
  const toGuests = guests === 1 ? '1 mail to a guest of a meeting' : `${guests} mails to guests of meetings`
  const toAccounts = accountMails === 1 ? '1 mail to an account' : `${accountMails} mails to accounts`
  const parts = [...(guests > 0 ? [toGuests] : []), ...(accountMails > 0 ? [toAccounts] : [])]
  return `${parts.join(' and ')} that ${guests + accountMails === 1 ? 'was' : 'were'}`
}

/**
 * Drop the unsent mails of a restored database. The guests count as holding an unknown state (a `held_sequence` without
 * a state), so that the next change mails them the whole meeting, and a cancellation reaches them.
 */
export const dropWaitingStatement = defineStatement({
  name: 'drop-waiting-mails',
  parameters: {},
  text: () => sql`update public.guest_delivery set held_sequence = case when pending then -1 else held_sequence end, pending = false,
    reminder_for = null, reminder_id = null, job_id = null, resend = false, asks = false,
    message = null, message_by = null, message_at = null
  where pending or reminder_for is not null or job_id is not null`,
})

/** Queue the mails to guests that have no job. @throws StartProblem */
export const sendWaiting = (dependencies: Dependencies): Promise<void> =>
  withDatabase(dependencies, async ({ pool, database, say }) => {
    if (!(await hasTable(pool, 'graphile_worker.jobs'))) throw new StartProblem('Start Parley once, then try again.')
    const guests = await queueOrphanedDeliveries(database)
    say(guests === 0 ? 'No mail waits without a job.' : `Mails to guests of meetings that are queued: ${guests}.`)
  })

/** Send a mail as the service does, and report the result. @throws StartProblem */
export async function sendTestMail({ config, clock, random, log, say }: Dependencies, to: string): Promise<void> {
  if (!isEmailAddress(to)) throw new StartProblem(`${to} is not an e-mail address.`)
  const { baseUrl, smtpUrl, mailFrom, dataDir } = config
  const mailer = createMailer({ ...config, log })
  const lines = [`This is a test mail of ${baseUrl}.`, 'If you read it, mails of this service reach you.']
  const messageId = `<test-${random.uuid(clock.now())}@${new URL(baseUrl).hostname}>`
  try {
    const html = `<p>${lines.join('</p><p>')}</p>`
    await mailer.deliver({ to, subject: 'Test mail of Parley', text: `${lines.join('\n')}\n`, html, messageId })
  } catch (cause) {
    const { code = 'unknown', responseCode, response } = Object(cause) as Record<string, unknown>
    const said = [code, responseCode, response].filter((part) => part !== undefined).join(' ')
    throw new StartProblem(`The mail server did not take the mail from ${mailFrom} to ${to}: ${said}`, { cause })
  } finally {
    mailer.close()
  }
  if (smtpUrl === undefined) say(`There is no SMTP_URL: the mail is a file in ${dataDir}/mail, and is not sent.`)
  else say(`The mail server has taken the mail ${messageId}. Look whether it arrives at ${to}, and not as spam.`)
}

/**
 * EX_TEMPFAIL of sysexits(3): the mail server keeps the mail and tries again. For most other codes, the server returns
 * the mail.
 */
export const temporaryFailure = 75

/**
 * Take a mail to REPLY_ADDRESS from standard input, as the service does by LMTP. Prints nothing, because mail servers
 * return what is printed to the sender.
 */
export async function receiveReply(dependencies: Dependencies): Promise<number> {
  const content = await readMost(process.stdin)
  try {
    await withDatabase({ ...dependencies, sayOnStderr: () => {} }, async (operator) => {
      const receiver = createMailReceiver(operator)
      try {
        await receiver.receive({ content, recipients: [], isBounce: false })
      } finally {
        await receiver.stop()
      }
    })
    return 0
  } catch (error) {
    const cause = readDatabaseFailure(error)?.cause ?? (error instanceof Error ? error.name : 'unknown')
    dependencies.sayOnStderr(error instanceof StartProblem ? error.message : `The database failed: ${cause}`)
    return temporaryFailure
  }
}

/** Read to the end, or the mail server finds a broken pipe, but keep no more than the part that may be examined. */
async function readMost(input: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    if (length <= maxMailBytes) chunks.push(Buffer.from(chunk))
    length += chunk.length
  }
  return Buffer.concat(chunks)
}
