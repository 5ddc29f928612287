import { Counter } from 'prom-client'
import { isPermanentFailure, type Mailer } from '../email/mail.ts'
import type { Metrics } from './create-metrics.ts'

/**
 * The same mailer, with its mails counted where there are metrics: `sent`, `refused` for good, `deferred` to another
 * try.
 */
export function observeMailer(metrics: Metrics | undefined, mailer: Mailer): Mailer {
  if (metrics === undefined) return mailer
  const mails = new Counter({
    name: 'parley_mails_total',
    help: 'Mails that were handed to the mail server, by outcome (sent, refused, deferred)',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  })
  return {
    ...mailer,
    async deliver(mail) {
      try {
        await mailer.deliver(mail)
      } catch (error) {
        mails.inc({ outcome: isPermanentFailure(error) ? 'refused' : 'deferred' })
        throw error
      }
      mails.inc({ outcome: 'sent' })
    },
  }
}
