import { isEmailAddress } from '@parley/rules/text/email-address'
import { createMailer } from '../email/mail.ts'
import { StartProblem } from '../platform/start-problem.ts'
import type { Dependencies } from './operator.ts'

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
  if (smtpUrl === undefined) say(`There is no SMTP_URL: the mail is a file in ${dataDir}/mail, and reaches nobody.`)
  else say(`The mail server has taken the mail ${messageId}. Look whether it arrives at ${to}, and not as spam.`)
}
