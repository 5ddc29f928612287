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
  switchedOff: {
    subject: 'Ihre Webhooks wurden ausgeschaltet',
    lead: 'Alle Anmeldungen Ihres Kontos sind beendet. Deshalb wurden die Webhooks ausgeschaltet, die damit erstellt wurden: Eine andere angemeldete Person kann sie erstellt haben.',
    receivers: (hosts) => `Ihre Empfänger: ${hosts}`,
    next: 'Prüfen Sie jeden, schalten Sie die ein, die Ihnen gehören, und löschen Sie die anderen. Ein Programm, das Sie nicht kennen, kann bis jetzt Ereignisse erhalten haben. Webhooks, die mit Token oder von verbundenen Apps erstellt wurden, sind beendet.',
  },
  open: 'So funktionieren Webhooks',
}
