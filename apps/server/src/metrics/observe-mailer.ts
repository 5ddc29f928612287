import { Counter } from 'prom-client'
import { isRefusedForGood, type Mailer } from '../email/mail.ts'
import type { Metrics } from './create-metrics.ts'

/** The same mailer, with its mails counted: `sent`, `refused` for good, `deferred` to another try. */
export function observeMailer({ registry }: Metrics, mailer: Mailer): Mailer {
  const mails = new Counter({
    name: 'parley_mails_total',
    help: 'Mails that were handed to the mail server, by outcome (sent, refused, deferred)',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return {
    ...mailer,
    async deliver(mail) {
      try {
        await mailer.deliver(mail)
      } catch (error) {
        mails.inc({ outcome: isRefusedForGood(error) ? 'refused' : 'deferred' })
        throw error
      }
      mails.inc({ outcome: 'sent' })
    },
  }
}
