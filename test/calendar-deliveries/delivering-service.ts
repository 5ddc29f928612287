import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger as GraphileLogger, runOnce } from 'graphile-worker'
import { simpleParser } from 'mailparser'
import { createMailer, type Mail } from '../../apps/server/src/email/mail.ts'
import { deliveryJob } from '../../apps/server/src/meetings/guest-mail-queue.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { type SettableClock, startApp } from '../../apps/server/test/start-app.ts'
import { type Failure, startMailServer } from '../helpers/mail-server.ts'
import type { RandomSource } from './random-source.ts'

export type ArrivedMail = { messageId: string; subject: string; text: string; calendar: string }

/** Start a service whose mail server fails as `failures` says, and whose processes die at random between two mails. */
export async function startDelivering(
  context: TestContext,
  { random, clock, environment }: { random: RandomSource; clock: SettableClock; environment: Record<string, string> },
) {
  const failures = new Map<string, Failure>()
  const server = await startMailServer(context, (address) => failures.get(address) ?? 'none')
  const log = createLog({ level: 'silent' })
  const limits = { connectionMs: 5_000, deliveryMs: 700 }
  const smtp = createMailer({ smtpUrl: server.url, mailFrom: 'parley@parley.test', dataDir: '', log, limits })
  context.after(() => smtp.close())

  /** Simulate a process that dies before it hands over a mail, or before it records that: its work stops. */
  const deaths = { rate: 0 }
  const dead: string[] = []
  let onDeath = () => {}
  const die = (address: string) => {
    dead.push(address)
    onDeath()
    return new Promise<never>(() => {})
  }
  const deliver = async (mail: Mail) => {
    if (random.happens(deaths.rate / 2)) await die(mail.to)
    await smtp.deliver(mail)
    if (random.happens(deaths.rate / 2)) await die(mail.to)
  }
  const app = await startApp({
    clock,
    mailer: { deliver, close() {} },
    environment: { EMAIL_VERIFICATION: 'off', REMINDER_MINUTES: '0', ...environment },
    emails: 'dropped',
  })

  /** Release the jobs of dead processes, as platform/jobs/orphaned-jobs.ts does. */
  async function rescue() {
    const addresses = dead.splice(0)
    if (addresses.length === 0) return
    await app.pool.query(
      `update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()
       where id = any (select job_id from guest_delivery where email_key = any ($1))`,
      [addresses],
    )
  }

  /** Run all waiting jobs, three mails at a time, as the service does. */
  async function runJobs() {
    await app.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null')
    const waiting = `select from graphile_worker.jobs where task_identifier = '${deliveryJob.name}'
      and (locked_at is not null or (run_at <= now() and attempts < max_attempts))`
    while (((await app.pool.query(waiting)).rowCount ?? 0) > 0) {
      await rescue()
      const died = Promise.withResolvers<void>()
      onDeath = died.resolve
      const run = runOnce({
        pgPool: app.pool,
        taskList: app.taskList,
        concurrency: 3,
        noHandleSignals: true,
        logger: new GraphileLogger(() => () => {}),
      })
      await Promise.race([run, died.promise])
      await sleep(2)
    }
  }

  return { app, server, failures, deaths, runJobs }
}

/**
 * Set the failures of one round: outages, throttling of some meetings, unknown addresses, and sometimes a server that
 * does not respond.
 */
export function setFailures(
  random: RandomSource,
  all: readonly { guests: readonly string[] }[],
  failures: Map<string, Failure>,
) {
  failures.clear()
  const isOutage = random.happens(0.15)
  for (const { guests } of all) {
    const ofMeeting: Failure =
      isOutage || random.happens(0.25) ? random.one(['later', 'later-after-data'] as const) : 'none'
    for (const guest of guests) {
      const isOwn = random.happens(0.1)
      const own = isOwn ? random.one(['later', 'never', 'hangs-up-after-taking'] as const) : ofMeeting
      failures.set(guest, random.happens(0.003) ? random.one(['silent', 'silent-after-taking'] as const) : own)
    }
  }
}

export async function readMail({
  to,
  content,
}: {
  to: string
  content: Buffer
}): Promise<ArrivedMail & { to: string; uid: string | undefined }> {
  const { subject = '', messageId = '', text = '', attachments } = await simpleParser(content)
  const calendar =
    attachments.find(({ contentType }) => contentType === 'text/calendar')?.content.toString('utf8') ?? ''
  return { to, uid: /^UID:([^@\s]+)/m.exec(calendar)?.[1], subject, messageId, text, calendar }
}

/** Process the items, at most `atOnce` at a time. */
export async function inTurns<T>(items: readonly T[], atOnce: number, work: (item: T, index: number) => Promise<void>) {
  const entries = items.entries()
  const worker = async () => {
    for (const [index, item] of entries) await work(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
