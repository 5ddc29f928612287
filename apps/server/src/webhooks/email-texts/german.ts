import type { WebhookEmailTexts } from './email-texts.ts'

export const german: WebhookEmailTexts = {
  states: {
    failing: {
      subject: (receiver) => `Ihr Webhook bei ${receiver} hat seit einem Tag keine Ereignisse angenommen`,
      lead: (receiver) =>
        `Jedes Ereignis, das in den letzten 24 Stunden an ${receiver} gesendet wurde, wurde abgelehnt.`,
      next: 'Sehen Sie in seinen Zustellungen nach dem Grund. Nimmt er zwei weitere Tage keines an, wird er ausgeschaltet.',
    },
    disabled: {
      subject: (receiver) => `Ihr Webhook bei ${receiver} wurde ausgeschaltet`,
      lead: (receiver) =>
        `${receiver} hat seit drei Tagen keine Ereignisse angenommen, deshalb werden keine mehr gesendet.`,
      next: 'Fünf Tage lang wird jede Stunde ein Testereignis gesendet; wird eines angenommen, wird der Webhook wieder eingeschaltet. Sie können ihn auch selbst einschalten. Versäumte Ereignisse lassen sich 30 Tage lang im Ereignisprotokoll lesen.',
    },
  },
  open: 'So funktionieren Webhooks',
}
