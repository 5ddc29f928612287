import type { AppEmailTexts } from './email-texts.ts'

export const german: AppEmailTexts = {
  decisions: {
    approved: {
      subject: (app) => `Ihre App ${app} ist genehmigt`,
      lead: (app) => `Ihre App ${app} hat die Prüfung bestanden und ist live.`,
      next: 'Die Client-ID steht auf der Seite der App, und dort legen Sie auch die Secrets an.',
    },
    rejected: {
      subject: (app) => `Ihre App ${app} ist abgelehnt`,
      lead: (app) => `Ihre App ${app} hat die Prüfung nicht bestanden.`,
      next: 'Ändern Sie auf der Seite der App, was beanstandet ist, und reichen Sie sie neu ein. Was vorher freigeschaltet war, bleibt es.',
    },
    on_hold: {
      subject: (app) => `Ihre App ${app} ist zurückgestellt`,
      lead: (app) => `Ihre App ${app} ist zurückgestellt: Die Prüfung ist nicht abgeschlossen.`,
      next: 'Ändern Sie auf der Seite der App, was beanstandet ist, und reichen Sie sie neu ein, oder warten Sie auf die Prüfung. Was vorher freigeschaltet war, bleibt es.',
    },
    suspended: {
      subject: (app) => `Ihre App ${app} ist gesperrt`,
      lead: (app) =>
        `Ihre App ${app} wurde von der Administration gesperrt: Niemand kann sie nutzen, und ihre Token werden abgewiesen.`,
      next: 'Fragen Sie die Administration, was geschehen muss, damit sie wieder freigegeben wird.',
    },
    resumed: {
      subject: (app) => `Ihre App ${app} ist wieder da`,
      lead: (app) => `Ihre App ${app} wurde von der Administration wieder freigegeben: Alles funktioniert wieder.`,
      next: 'Sie müssen nichts tun.',
    },
  },
  reasons: {
    invalid_url:
      'Eine Adresse stimmt nicht: ihre Form, ein Zeichen darin oder eine Seite, die fehlerhaft oder nicht vorhanden ist.',
    malicious_url: 'Eine Adresse führt zu Schadsoftware, Phishing oder anderen schädlichen Inhalten.',
    suspicious_url: 'Eine Adresse wirkt verdächtig: eine neue oder oft verkaufte Domain oder versteckte Inhalte.',
    misleading: 'Der Name, das Logo oder die Beschreibung führt in die Irre.',
    scopes_not_justified: 'Die App verlangt mehr Berechtigungen, als sie braucht.',
    other: 'Ein anderer Grund.',
  },
  reason: (field, sentence) => `Grund${field === '' ? '' : `, ${field}`}: ${sentence}`,
  open: 'Seite der App öffnen',
  clientWaits: {
    subject: (client) => `${client} wartet auf Ihre Prüfung`,
    lead: (client, service) =>
      `Eine Person möchte ${client} bei ${service} verbinden. Niemand hat diese Anwendung hier registriert; vor der Prüfung kann sie deshalb nicht verwendet werden.`,
    next: 'Lesen Sie, was sie über sich sagt, und genehmigen Sie sie oder lehnen Sie sie ab. Zum Ausprobieren können Sie selbst sie vorher verbinden.',
    changed: {
      lead: (client, service) =>
        `Das Dokument von ${client} bei ${service} hat sich geändert. Was genehmigt ist, bleibt in Kraft, bis Sie entscheiden.`,
      next: 'Lesen Sie, was anders ist, und genehmigen Sie es oder lehnen Sie es ab.',
    },
    open: 'Prüfung öffnen',
    itself: 'Ein Assistent, der sich selbst registriert hat,',
  },
  clientsWait: {
    subject: (waiting) => `Assistenten, die auf Ihre Prüfung warten: ${waiting}`,
    lead: (service) => `Bei ${service} warten mehr Assistenten, als einzeln per E-Mail gemeldet werden.`,
    next: 'Die Seite der Prüfungen nennt alle; zuerst den, der am längsten wartet.',
    open: 'Prüfungen öffnen',
  },
}
