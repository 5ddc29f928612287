import { createTransport } from 'nodemailer'
import type { Config } from '../platform/config/config.ts'
import { smtpSettings } from './smtp-settings.ts'

/** Short, because an operator waits at a terminal. */
const limits = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 }

/**
 * Sign in to the mail server without sending a mail. Returns undefined on success, otherwise the reason, without
 * secrets.
 */
export async function checkMailServer(smtpUrl: string, smtpTls: Config['smtpTls']): Promise<string | undefined> {
  const transport = createTransport({ ...limits, ...smtpSettings(smtpUrl, smtpTls) })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const { code, responseCode } = Object(error) as { code?: string; responseCode?: number }
    return [code ?? 'unknown', responseCode].filter((part) => part !== undefined).join(' ')
  } finally {
    transport.close()
  }
}
