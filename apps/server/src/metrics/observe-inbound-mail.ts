import { Counter } from 'prom-client'
import type { Metrics } from './create-metrics.ts'

/** Count what became of the mails to REPLY_ADDRESS. Mails that are left to the mail server are not among them. */
export function observeInboundMail<Mail, Outcome extends string>(
  metrics: Metrics | undefined,
  outcomes: readonly Outcome[],
  receive: (mail: Mail) => Promise<Outcome>,
): (mail: Mail) => Promise<Outcome> {
  if (metrics === undefined) return receive
  const mails = new Counter({
    name: 'parley_inbound_mails_total',
    help: 'Mails to REPLY_ADDRESS, by outcome: recorded, or why they were dropped',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  })
  // A rate needs a first value.
  for (const outcome of outcomes) mails.inc({ outcome }, 0)
  return async (mail) => {
    const outcome = await receive(mail)
    mails.inc({ outcome })
    return outcome
  }
}
