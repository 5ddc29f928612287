import type { WebhookEmailTexts } from './email-texts.ts'

export const english: WebhookEmailTexts = {
  states: {
    failing: {
      subject: (receiver) => `Your webhook at ${receiver} has taken no events for a day`,
      lead: (receiver) => `Every event that was sent to ${receiver} in the last 24 hours was refused.`,
      next: 'Look at its deliveries to see why. If it takes none for two more days, it will be switched off.',
    },
    disabled: {
      subject: (receiver) => `Your webhook at ${receiver} was switched off`,
      lead: (receiver) => `${receiver} has taken no events for three days, so none are sent any more.`,
      next: 'For five days a test event is sent each hour, and if one is taken, the webhook is switched on again. You can also switch it on yourself. Events that were missed can be read from the event log for 30 days.',
    },
  },
  switchedOff: {
    subject: 'Your webhooks were switched off',
    lead: 'All sign-ins of your account have ended, so the webhooks that were created with it were switched off: another person who was signed in may have created them.',
    receivers: (hosts) => `Their receivers: ${hosts}`,
    next: 'Look at each of them, switch on those that are yours, and delete the others. A program that you do not know may have received events until now. Webhooks that were created with tokens and by connected apps have ended.',
  },
  open: 'How webhooks work',
}
