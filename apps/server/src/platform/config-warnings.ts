import type { Config } from './config.ts'

/** What an operator may have set on purpose, and should know the price of: sentences for the log at the start. */
export function warningsOf({ tenants, emailVerification }: Pick<Config, 'tenants' | 'emailVerification'>): string[] {
  if (tenants.size === 0 || emailVerification === 'required') return []
  return [
    'TENANTS puts people into organisations by the domain of their e-mail address, but EMAIL_VERIFICATION is off: ' +
      'whoever signs up can claim any address, and with it a place in any organisation. Set EMAIL_VERIFICATION=required.',
  ]
}
