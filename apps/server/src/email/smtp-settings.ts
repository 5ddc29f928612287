import type { Config } from '../platform/config/config.ts'

/** Mails are composed here: no part of a mail is read from a file or a URL that it mentions. */
export const selfContained = { disableFileAccess: true, disableUrlAccess: true }

/**
 * The SMTP settings: with `smtps:` encrypted from the first byte, with `smtp:` after STARTTLS. With `required` nothing
 * is sent before STARTTLS has succeeded, whatever the server offers and the options in the URL say.
 */
export const smtpSettings = (smtpUrl: string, smtpTls: Config['smtpTls']) => ({
  ...selfContained,
  url: smtpTls === 'required' ? withRequiredTls(smtpUrl) : smtpUrl,
})

/** nodemailer lets options in the URL override all others, so this must be one of them. */
function withRequiredTls(smtpUrl: string): string {
  const url = new URL(smtpUrl)
  for (const name of ['ignoreTLS', 'opportunisticTLS']) url.searchParams.delete(name)
  url.searchParams.set('requireTLS', 'true')
  return url.href
}
