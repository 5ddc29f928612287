import { nextDigestTime } from '@parley/rules/invitations/digest-time'
import { readTimeZone } from '@parley/rules/recurrence/time-zone'
import { isolated } from '@parley/rules/text/isolated-text'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { findAccount, setAnswerDigest } from '../accounts/account/account-store.ts'
import { findBrandOfAddress } from '../accounts/organisation-store.ts'
import { documentHtml } from '../email/document-html.ts'
import { documentText } from '../email/document-text.ts'
import type { Mail } from '../email/mail.ts'
import { logosOf, type MailBrand, mailBrandOf } from '../email/mail-brand.ts'
import type { Fact, MailDocument } from '../email/mail-document.ts'
import { queueMail } from '../email/mail-job.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { preferredLanguage } from '../platform/http/content-negotiation.ts'
import { html } from '../platform/http/html.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import { textsIn } from '../platform/texts.ts'
import { sendPage } from '../server-pages/page.ts'
import type { Dependencies } from './dependencies.ts'
import {
  claimDueDigests,
  type DueDigest,
  deleteDigest,
  findDigestsToPlan,
  listNewAnswers,
  maxInDigest,
  moveDigest,
  type NewAnswer,
  planDigest,
} from './digest-store.ts'
import {
  digestResumePath,
  digestStopLink,
  digestStopPath,
  guestToken,
  personOfToken,
  unsubscribeHeaders,
} from './guest-links.ts'
import { serveGuestPages, unknownInvitationPage } from './guest-pages.ts'
import { moment, span } from './times-in-words.ts'

export const sendDigestsJob = defineJob('send-answer-digests', Type.Unknown())

/**
 * Answers are new by the time of their recording, not by DTSTAMP: mail may arrive late. Leave those of the last minute
 * to the next digest: their transactions may not have committed yet.
 */
const commitMs = 60_000

type DigestDependencies = Pick<Dependencies, 'database' | 'clock' | 'config' | 'encryption'>

/**
 * Queue the digests that are due, and move each on to the next day in the same transaction: exactly once, whichever
 * process dies and however many run this. A digest that was missed while no instance ran is sent late, with all answers
 * since the last one.
 */
export function createDigestTask(dependencies: DigestDependencies) {
  return sendDigestsJob.handle(async () => {
    for (const step of [planSome, sendSome]) {
      let handled: number
      do handled = await inTransaction(dependencies.database, (tx) => step(tx, dependencies))
      while (handled > 0)
    }
  })
}

async function planSome(tx: Tx, { clock, config }: DigestDependencies): Promise<number> {
  const now = clock.now()
  const planned = await findDigestsToPlan(tx)
  for (const { accountId, timeZone } of planned) {
    await planDigest(tx, { accountId, timeZone, dueAt: nextDigest(config, timeZone, now) }, now)
  }
  return planned.length
}

async function sendSome(tx: Tx, dependencies: DigestDependencies): Promise<number> {
  const now = dependencies.clock.now()
  const due = await claimDueDigests(tx, now)
  for (const digest of due) {
    const { accountId, timeZone, reportedUntil } = digest
    if (!digest.isOn) {
      await deleteDigest(tx, accountId)
      continue
    }
    const until = new Date(Math.max(now.getTime() - commitMs, reportedUntil.getTime()))
    await sendDigest(tx, dependencies, digest, until)
    await moveDigest(tx, accountId, nextDigest(dependencies.config, timeZone, now), until)
  }
  return due.length
}

async function sendDigest(
  tx: Tx,
  { config, encryption }: DigestDependencies,
  host: DueDigest,
  until: Date,
): Promise<void> {
  const { accountId, addressKey, reportedUntil } = host
  const answers = await listNewAnswers(tx, accountId, reportedUntil, until)
  if (answers.length === 0) return
  const { baseUrl } = config
  const token = guestToken(encryption, 'answer digest link', { subjectId: accountId, addressKey })
  const stopLink = digestStopLink(baseUrl, accountId, token)
  const brand = mailBrandOf(await findBrandOfAddress(tx, addressKey))
  await queueMail(tx, encryption, composeDigest({ host, brand, answers, baseUrl, stopLink }))
}

/** Compute the time of the next digest in the time zone of the profile, or in UTC where the profile has none. */
function nextDigest({ timeZoneAliases }: DigestDependencies['config'], timeZone: string, now: Date): Date {
  const reading = timeZone === '' ? undefined : readTimeZone(timeZone, timeZoneAliases)
  return nextDigestTime(reading?.kind === 'known' ? reading.timeZone : 'UTC', now)
}

type Digest = {
  host: Pick<DueDigest, 'email' | 'language'>
  brand: MailBrand
  /** At most one answer more than `maxInDigest`, which shows that there are more. */
  answers: readonly NewAnswer[]
  baseUrl: string
  stopLink: string
}

/** Compose the daily mail with the answers to a host's meetings, in the host's language. */
function composeDigest({ host, brand, answers, baseUrl, stopLink }: Digest): Omit<Mail, 'messageId'> {
  const language = host.language || 'en'
  const t = textsIn(language, 'invitation-emails')
  const shown = answers.slice(0, maxInDigest)
  const isCut = answers.length > shown.length
  const document: MailDocument = {
    language,
    brand,
    subject: t('digest.subject', { answers: isCut ? `${shown.length}+` : shown.length }),
    title: t('digest.title'),
    lead: '',
    paragraphs: [],
    notes: isCut ? [t('andMore')] : [],
    changes: { heading: '', rows: [], dates: [] },
    facts: factsOf(shown),
    description: undefined,
    action: { label: t('digest.open'), address: `${baseUrl}/meetings` },
    add: { label: t('digest.link'), address: stopLink },
    question: undefined,
    footer: [t('digest.footer', { service: isolated(language, baseUrl) })],
  }

  function factsOf(listed: readonly NewAnswer[]): Fact[] {
    const byMeeting = Map.groupBy(listed, ({ meetingId }) => meetingId)
    return [...byMeeting.values()].map((ofMeeting) => ({
      label: isolated(language, ofMeeting[0]?.topic ?? ''),
      lines: ofMeeting.map(lineOf),
    }))
  }

  function lineOf({
    email,
    displayName,
    response,
    comment,
    date,
    timeZone,
    proposedStart,
    proposedEnd,
  }: NewAnswer): string {
    const person = isolated(language, displayName === '' ? email : `${displayName} (${email})`)
    const about = date === null ? '' : ` (${moment(language, date, timeZone)})`
    const remark = comment === null ? '' : ` – ${isolated(language, comment.replaceAll(/\s+/g, ' '))}`
    if (response !== null) return `${person}: ${t(`answers.${response}`)}${about}${remark}`
    if (proposedStart === null || proposedEnd === null) return `${person}${about}${remark}`
    const times = span(language, proposedStart, proposedEnd.getTime() - proposedStart.getTime(), timeZone)
    return `${t('digest.proposes', { person, times })}${about}${remark}`
  }

  return {
    to: host.email,
    subject: document.subject,
    text: documentText(document),
    html: documentHtml(document),
    ...(brand.name !== '' && { fromName: brand.name }),
    logos: logosOf(brand),
    headers: unsubscribeHeaders(stopLink),
  }
}

/**
 * Serve the page behind the unsubscribe link of a digest. Opening it changes nothing; the button, or the one-click
 * request of a mail program (RFC 8058), switches the digest off in the host's profile, and another press undoes that.
 */
export function registerDigestPages(dependencies: Dependencies): void {
  serveGuestPages(dependencies, (pages) => {
    const set = (on: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
      const found = await findHost(dependencies, request)
      if (found !== undefined)
        await setAnswerDigest(dependencies.database, found.account.id, on, dependencies.clock.now())
      return show(dependencies, request, reply)
    }
    pages.get(digestStopPath, (request, reply) => show(dependencies, request, reply))
    pages.post(digestStopPath, set(false))
    pages.post(digestResumePath, set(true))
  })
}

async function show(dependencies: Dependencies, request: FastifyRequest, reply: FastifyReply) {
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  const found = await findHost(dependencies, request)
  if (found === undefined) return sendPage(reply, unknownInvitationPage(spoken, request.id))
  const { account, token } = found
  const language = account.language || spoken
  const t = textsIn(language, 'invitation-emails')
  const isOn = account.settings.answerDigest === true
  const address = isolated(language, account.email)
  const path = `/digest/${account.id}/${token}`
  return sendPage(reply, {
    status: 200,
    title: t('digest.title'),
    language,
    forms: true,
    main: html`<h1>${t('digest.title')}</h1>
${isOn ? html`<p>${t('digest.ask', { address })}</p>` : html`<p role="status"><strong>${t('digest.stopped', { address })}</strong></p>`}
<form method="post" action="${isOn ? path : `${path}/resume`}" class="stacked">
<button${isOn ? html` class="primary"` : undefined}>${isOn ? t('digest.stop') : t('digest.resume')}</button>
</form>`,
  })
}

/** Find the account to which the token belongs. Undefined when there is none, or it has been deleted. */
async function findHost({ database, encryption }: Dependencies, { params }: FastifyRequest) {
  const { accountId, token } = params as Record<'accountId' | 'token', string>
  const account = isUuid(accountId) ? await findAccount(database, accountId) : undefined
  if (account === undefined || account.deletedAt !== null) return undefined
  const named = { subjectId: account.id, token }
  const host = personOfToken(encryption, 'answer digest link', named, [{ addressKey: account.emailKey }])
  return host && { account, token: encodeURIComponent(token) }
}
