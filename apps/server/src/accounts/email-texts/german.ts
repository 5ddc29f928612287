import { signInTexts } from '@parley/contract'
import type { AccountEmailTexts } from './email-texts.ts'

export const german: AccountEmailTexts = {
  confirmAddress: (service) => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lead: `Jemand, vermutlich Sie, hat sich auf ${service} mit dieser Adresse registriert. Bestätigen Sie sie innerhalb von 24 Stunden:`,
    action: 'Meine Adresse bestätigen',
    rest: [
      'Melden Sie sich danach mit dem Passwort an, das Sie gewählt haben.',
      'Wenn Sie das nicht waren, beachten Sie diese Mail nicht: Ohne den Link kann niemand das Konto nutzen.',
    ],
  }),
  alreadyHaveAccount: (service) => ({
    subject: 'Sie haben schon ein Konto',
    lead: `Jemand, vermutlich Sie, wollte sich auf ${service} mit dieser Adresse registrieren. Es gibt damit schon ein Konto: Melden Sie sich dort an. Wenn Sie das Passwort vergessen haben, wählen Sie ein neues:`,
    action: signInTexts.chooseNewPassword.de,
    rest: [
      'Wenn Sie das nicht waren, beachten Sie diese Mail nicht: Es hat sich nichts geändert, und niemand hat erfahren, dass es das Konto gibt.',
    ],
  }),
  resetPassword: (service) => ({
    subject: 'Wählen Sie ein neues Passwort',
    lead: `Jemand hat für Ihr Konto auf ${service} ein neues Passwort angefordert. Wählen Sie es innerhalb einer Stunde:`,
    action: signInTexts.chooseNewPassword.de,
    rest: [
      'Sie werden überall abgemeldet, und Ihre persönlichen Zugriffstoken und Passkeys verlieren ihre Gültigkeit.',
      'Wenn Sie das nicht angefordert haben, beachten Sie diese Mail nicht: Es ändert sich nichts.',
    ],
  }),
  passwordChanged: (service) => ({
    subject: 'Ihr Passwort wurde geändert',
    lead: `Das Passwort Ihres Kontos auf ${service} wurde geändert.`,
    action: signInTexts.chooseNewPassword.de,
    rest: ['Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: Damit werden alle abgemeldet.'],
  }),
  passkeyAdded: (service) => ({
    subject: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    lead: `Ihrem Konto auf ${service} wurde ein Passkey hinzugefügt. Wer ihn hat, kann sich anmelden.`,
    action: signInTexts.chooseNewPassword.de,
    rest: [
      'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: Damit werden alle abgemeldet und alle Passkeys entfernt.',
    ],
  }),
  invitation: (service) => ({
    subject: 'Einladung zu Parley',
    lead: `Die Administration von ${service} lädt Sie ein, dort mit dieser Adresse ein Konto anzulegen. Der Link funktioniert einmal, innerhalb von 7 Tagen:`,
    action: signInTexts.createAccount.de,
    rest: ['Wenn Sie das nicht erwartet haben, beachten Sie diese Mail nicht.'],
  }),
  accountDeleted: (service) => ({
    subject: 'Ihr Konto ist gelöscht',
    lead: `Ihr Konto auf ${service} wurde gelöscht, von Ihnen oder von der Administration. Sie sind überall abgemeldet.`,
    action: 'Dienst öffnen',
    rest: [
      'Ihre geplanten Besprechungen sind abgesagt oder, wenn das gewählt wurde, sieben Tage lang ihren Mitleitungen angeboten. Ihre Daten werden entfernt, sobald die Gäste benachrichtigt sind, spätestens nach zwei Tagen oder zwei Tage nach dem Ende der Angebote.',
      'Wenn Sie das nicht waren, wenden Sie sich sofort an die Administration des Dienstes.',
    ],
  }),
  handOverOffered: (service, person, day) => ({
    subject: 'Ihnen wird die Leitung von Besprechungen angeboten',
    lead: `${person} hat ${service} verlassen und bietet Ihnen an, die Besprechungen zu leiten, deren Mitleitung Sie sind.`,
    action: 'Angebote ansehen',
    rest: [
      `Bis Sie annehmen, bleiben die Besprechungen, wie sie sind, und nichts wird in Ihrem Namen verschickt. Eine Besprechung, die keine Mitleitung annimmt, wird am ${day} abgesagt.`,
      'Wenn Sie diese Person nicht kennen, lehnen Sie ab, oder beachten Sie diese E-Mail nicht.',
    ],
  }),
  meetingChangedByAdministrator: (service) => ({
    subject: 'Ihre Besprechung wurde von der Administration geändert',
    lead: `Die Administration Ihrer Organisation hat Termine einer Besprechung geändert, die Sie auf ${service} leiten. Die Gäste werden wie bei einer Änderung von Ihnen benachrichtigt.`,
    action: 'Besprechung öffnen',
    rest: [
      'Die Administration sieht Thema, Zeiten und Leitung Ihrer Besprechungen. PIN, Links, Beschreibung und Teilnehmende sieht sie nicht und kann sie nicht ändern.',
    ],
  }),
  meetingCancelledByAdministrator: (service) => ({
    subject: 'Ihre Besprechung wurde von der Administration abgesagt',
    lead: `Die Administration Ihrer Organisation hat eine Besprechung, die Sie auf ${service} leiten, oder einzelne Termine davon abgesagt. Die Gäste werden wie bei einer Absage von Ihnen benachrichtigt.`,
    action: 'Termine ansehen',
    rest: ['Dort steht, welche Termine noch stattfinden.'],
  }),
  oauthRequested: (service, person) => ({
    subject: 'Anfrage nach OAuth (Beta)',
    lead: `${person} bittet auf ${service} um OAuth (Beta), um Apps zu registrieren.`,
    action: 'Anfrage ansehen',
    rest: ['Die Begründung steht auf der Seite. Dort können Sie die Anfrage annehmen oder ablehnen.'],
  }),
  oauthEnabled: (service) => ({
    subject: 'OAuth (Beta) ist für Ihr Konto freigeschaltet',
    lead: `Die Administration hat Ihre Anfrage angenommen: Sie können auf ${service} jetzt Apps registrieren.`,
    action: 'App registrieren',
    rest: ['Die Sandbox funktioniert, sobald Sie eine App einreichen, noch während sie geprüft wird.'],
  }),
  oauthDeclined: (service) => ({
    subject: 'Ihre Anfrage nach OAuth (Beta) wurde abgelehnt',
    lead: `Die Administration hat Ihre Anfrage nach OAuth (Beta) auf ${service} abgelehnt.`,
    action: 'Ihre Anfrage ansehen',
    rest: ['Sie können dort erneut anfragen.'],
  }),
  declineReason: (reason) => `Grund: ${reason}`,
  fromProgram: (request, body) => `Mit einem Programm: ${request} mit ${body}; das Token steht im Link hinter dem =.`,
  besideSignUp: 'neben email, password und name',
}
