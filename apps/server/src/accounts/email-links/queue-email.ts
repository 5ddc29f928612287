import { addressKey } from '@parley/rules/text/email-address'
import type { Language } from '@parley/texts/languages'
import { documentHtml } from '../../email/document-html.ts'
import { documentText } from '../../email/document-text.ts'
import { logosOf, type MailBrand, mailBrandOf } from '../../email/mail-brand.ts'
import type { MailDocument } from '../../email/mail-document.ts'
import { queueMail } from '../../email/mail-job.ts'
import type { Tx } from '../../platform/database/database.ts'
import { removeJob } from '../../platform/jobs/jobs.ts'
import type { Dependencies } from '../dependencies.ts'
import { findBrand, findBrandOfAddress } from '../organisation-store.ts'

/**
 * Queue an email in the transaction of the change that it reports. With a key it waits for `delayMs`, and replaces a
 * waiting email with the same key.
 */
export async function queueEmail(
  tx: Tx,
  { encryption }: Pick<Dependencies, 'encryption'>,
  message: Email,
  gathered?: { key: string; delayMs: number },
): Promise<void> {
  await queueMail(tx, encryption, await mailOf(tx, message), gathered)
}

/** Write the mail in the look of the organisation that it is from: the recipient's, for a stranger the service's. */
async function mailOf(tx: Tx, message: Email) {
  const { to, tenantId } = message
  const stored = await (tenantId === undefined ? findBrandOfAddress(tx, addressKey(to)) : findBrand(tx, tenantId))
  const brand = mailBrandOf(stored)
  return {
    to,
    subject: message.subject,
    ...composeEmail(message, brand),
    ...(brand.name !== '' && { fromName: brand.name }),
    logos: logosOf(brand),
  }
}

/** Drop the waiting email with this key. */
export const dropEmail = (tx: Tx, key: string) => removeJob(tx, key)

/** At most 48 of these emails per day reach an address, and each change is reported within this time. */
const passwordEmailIntervalMs = 30 * 60 * 1000

/**
 * Queue the email about a changed password. `account` is the account before the change. An email soon after another one
 * is delayed and covers all changes until it is sent. An email for each change would let a script flood an address; a
 * suppressed email would hide an attacker's change.
 */
export async function queuePasswordChangedEmail(
  tx: Tx,
  { encryption, config }: Pick<Dependencies, 'encryption' | 'config'>,
  account: { id: string; passwordChangedAt: Date | null },
  message: Email,
  now: Date,
): Promise<void> {
  const mail = await mailOf(tx, message)
  const sinceMs = now.getTime() - (account.passwordChangedAt?.getTime() ?? Number.NEGATIVE_INFINITY)
  const isSoon = config.rateLimits && sinceMs < passwordEmailIntervalMs
  const delayed = { key: `password-changed ${account.id}`, delayMs: passwordEmailIntervalMs }
  await queueMail(tx, encryption, mail, isSoon ? delayed : undefined)
}

/** An email of plain paragraphs to one person, with at most one link. */
export type Email = {
  to: string
  /** The organisation that the email is from, where it is not that of the recipient's account. */
  tenantId?: string
  language: Language
  subject: string
  paragraphs: readonly string[]
  /** Placed after the first paragraph. */
  link?: { label: string; address: string }
}

type EmailBodies = { text: string; html: string }

/** Compose text and HTML with the template that emails about meetings use. */
export function composeEmail(message: Email, brand?: MailBrand): EmailBodies {
  const document = { ...documentOf(message), ...(brand && { brand }) }
  return { text: documentText(document), html: documentHtml(document) }
}

const documentOf = ({ language, subject, paragraphs: [first = '', ...others], link }: Email): MailDocument => ({
  language,
  subject,
  lead: '',
  title: subject,
  paragraphs: [first],
  notes: others,
  action: link && { ...link, isShown: true },
  changes: { heading: '', rows: [], dates: [] },
  facts: [],
  description: undefined,
  add: undefined,
  question: undefined,
  footer: [],
})
