import type { Config } from '../platform/config/config.ts'

/** What this service sends is composed here: no part of a mail is ever read from a path or an address that stands in it. */
export const selfContained = { disableFileAccess: true, disableUrlAccess: true }

/**
 * How to reach the mail server: with `smtps:` encrypted from the first byte, with `smtp:` after STARTTLS. With `required`
 * nothing is sent before STARTTLS has succeeded, whatever the server offers and the options in the address say.
 */
export const smtpSettings = (smtpUrl: string, smtpTls: Config['smtpTls']) => ({
  ...selfContained,
  url: smtpTls === 'required' ? withRequiredTls(smtpUrl) : smtpUrl,
})

/** Options in the address override all others in nodemailer, so this has to be one of them. */
function withRequiredTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of ['ignoreTLS', 'opportunisticTLS']) url.searchParams.delete(name)
  url.searchParams.set('requireTLS', 'true')
  return url.href
}
