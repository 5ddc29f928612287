import { html } from '../../../platform/http/html.ts'
import type { PageTexts } from './page-texts.ts'

const appNotNamed = 'Die App hat nicht gesagt, welche App sie ist'
const startAgain = 'Gehen Sie zurück zur App und beginnen Sie noch einmal.'
const reportToDeveloper =
  'Sagen Sie den Entwicklern der App, was auf dieser Seite steht. Die App hat nichts von Ihnen bekommen.'

export const german: PageTexts = {
  errorTitle: (title) => `Fehler: ${title}`,
  toContinueTo: (app) => html`um mit ${app} fortzufahren`,
  signedInAs: (name, email) => html`Sie sind angemeldet als ${name} (${email}).`,
  unnamed: { within: 'diesem Programm', start: 'Diesem Programm', actor: 'Dieses Programm' },
  switchAccount: 'Konto wechseln',
  notYou: 'Nicht Sie? Konto wechseln',
  signIn: {
    refused: 'Sie sind nicht angemeldet',
    provider: (name) => `Mit ${name} anmelden`,
    passkeyFailed: 'Der Passkey wurde nicht verwendet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    passkeyRefused:
      'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
    passwordMissing: 'Geben Sie Ihr Passwort ein.',
    wrongCredentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    emailNotVerified: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Wir haben Ihnen einen Link geschickt.',
    emailNotVerifiedWithoutMail:
      'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Dieser Dienst versendet keine E-Mails: Fragen Sie die Betreiber, wie das geht.',
    tooManyTries: (minutes) =>
      `Zu viele Versuche. Warten Sie ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} und versuchen Sie es dann noch einmal.`,
  },
  account: {
    title: 'Konto wählen',
    continueAs: (name) => html`Weiter als ${name}`,
    useAnother: 'Anderes Konto verwenden',
  },
  consent: {
    title: (app) => `${app} erlauben?`,
    heading: (app) => html`${app} erlauben, Ihr Konto zu verwenden?`,
    by: (owner) => html`von ${owner}`,
    organisation: (name) => html`Organisation: ${name}`,
    willBeAble: (app) => html`${app} darf dann:`,
    willAlsoBeAble: (app) => html`Neu: ${app} darf dann auch:`,
    alreadyAllowed: 'Das haben Sie schon erlaubt:',
    newUse: {
      api: (
        app,
      ) => html`Neu: ${app} möchte auch die Programmierschnittstelle (API) dieses Dienstes verwenden. Sie reicht
weiter als die Werkzeuge für Assistenten (MCP), etwa zu Anwesenheit, Benachrichtigungen und der Steuerung eines Raums,
soweit die Liste unten es erlaubt. Was Sie bisher erlaubt haben, umfasst sie nicht.`,
      mcp: (
        app,
      ) => html`Neu: ${app} möchte auch die Werkzeuge für Assistenten (MCP) dieses Dienstes verwenden, mit denen
ein KI-Modell für Sie liest und handelt, soweit die Liste unten es erlaubt. Was Sie bisher erlaubt haben, umfasst sie nicht.`,
    },
    leaveOut: 'Entfernen Sie das Häkchen bei allem, was Sie nicht erlauben möchten.',
    nothingSelectedTitle: 'Es ist nichts ausgewählt',
    nothingSelected: 'Wählen Sie aus, was Sie erlauben möchten, oder lehnen Sie ab.',
    homePage: 'Startseite',
    privacy: 'Datenschutz',
    policy: 'Datenschutzerklärung dieser App',
    afterwards: 'Danach',
    goOnTo: (host) => `Weiter zu ${host}`,
    goOnToDevice: 'Weiter zur App auf diesem Gerät',
    newTab: '(öffnet sich in einem neuen Tab)',
    answer: 'Ihre Antwort',
    deny: 'Ablehnen',
    allow: 'Erlauben',
    revoke: 'Sie können das jederzeit unter „Verbundene Apps“ widerrufen.',
    sandboxTitle: 'Diese App wird gerade getestet',
    sandbox: 'Sie läuft in ihrer Sandbox. Was Sie erlauben, endet nach 7 Tagen.',
    httpTitle: 'Der Rückweg ist nicht verschlüsselt',
    http: 'Diese App nimmt Ihre Antwort über einfaches http entgegen. Andere im Netz können sie unterwegs lesen.',
    runsHere: 'Weiter zu einem Programm auf diesem Computer',
    registeredItself: 'hat sich selbst registriert',
    unknownProgram: 'Ein Programm, das sich selbst registriert hat',
    notReviewed: 'Was es über sich sagt, ist nicht geprüft.',
    trialTitle: 'Noch nicht geprüft',
    trial:
      'Sie können diese App vor der Prüfung verbinden, weil Sie hier Apps prüfen oder diesen Dienst verwalten. Was Sie erlauben, endet nach sieben Tagen.',
  },
  tester: {
    title: (app) => `${app} testen?`,
    heading: (app) => html`${app} testen?`,
    asks: (owner, email) => html`${owner} (${email}) bittet Sie, diese App zu testen.
Nehmen Sie nur an, wenn Sie diese Person kennen. Die App erhält dadurch noch keinen Zugriff: Danach werden Sie gefragt, was sie darf.`,
    notApproved: 'Was Sie testen sollen, ist nicht genehmigt.',
    decline: 'Ablehnen',
    accept: 'Annehmen',
    changeable: 'Sie können Ihre Antwort jederzeit unter „Verbundene Apps“ ändern.',
    declinedTitle: 'Sie haben abgelehnt',
    declined: (app) =>
      html`Sie testen ${app} nicht. Die App hat nichts von Ihnen bekommen und erfährt Ihre Antwort nicht. Sie können diese Seite schließen.`,
    changeableLater: 'Sie können Ihre Antwort unter „Verbundene Apps“ ändern.',
  },
  errors: {
    client_missing: {
      title: appNotNamed,
      happened: 'Der Link, der Sie hierher geführt hat, enthält keine client_id (oder clientId).',
      advice: reportToDeveloper,
    },
    client_ambiguous: {
      title: appNotNamed,
      happened: 'Der Link, der Sie hierher geführt hat, enthält mehr als eine client_id.',
      advice: reportToDeveloper,
    },
    client_unknown: {
      title: 'Diese App gibt es nicht',
      happened:
        'Der Link, der Sie hierher geführt hat, enthält eine client_id, die zu keiner App gehört. Vielleicht wurde die App gelöscht.',
      advice: reportToDeveloper,
    },
    redirect_uri_missing: {
      title: 'Die App hat nicht gesagt, wohin Sie zurückkehren',
      happened: 'Der Link, der Sie hierher geführt hat, muss genau eine redirect_uri enthalten.',
      advice: reportToDeveloper,
    },
    redirect_uri_unknown: {
      title: 'Die App will Sie an eine unbekannte Adresse schicken',
      happened:
        'Die redirect_uri des Links, der Sie hierher geführt hat, ist keine der Callback-URLs, die diese App registriert hat. Sie muss Zeichen für Zeichen gleich sein.',
      advice: reportToDeveloper,
    },
    client_url_invalid: {
      title: 'Die Adresse dieser App ist nicht zulässig',
      happened:
        'Der Link, der Sie hierher geführt hat, nennt die App mit einer Adresse, die den Regeln für solche Adressen nicht entspricht.',
      advice: reportToDeveloper,
    },
    client_not_allowed: {
      title: 'Solche Apps sind hier nicht zugelassen',
      happened: 'Die Administration dieses Dienstes hat Apps dieser Art oder dieses Anbieters nicht zugelassen.',
      advice: 'Fragen Sie die Administration, ob sie zugelassen werden kann. Die App hat nichts von Ihnen erhalten.',
    },
    client_document_invalid: {
      title: 'Die Beschreibung dieser App ist nicht verwendbar',
      happened:
        'Die App wird durch die Adresse eines Dokuments benannt, das sie beschreibt. Das Dokument war nicht abrufbar, oder etwas darin ist falsch.',
      advice:
        'Versuchen Sie es in einigen Minuten noch einmal. Wenn diese Seite wieder erscheint, sagen Sie den Entwicklern der App, was darauf steht. Die App hat nichts von Ihnen erhalten.',
    },
    client_under_review: {
      title: 'Ihre Administration entscheidet über diese App',
      happened:
        'Die App ist hier noch nicht genehmigt. Sie wartet auf die Personen, die auf diesem Dienst Apps prüfen. Sie hat nichts von Ihnen erhalten.',
      advice: 'Kommen Sie später wieder und verbinden Sie die App dann, oder fragen Sie die Administration.',
    },
    client_request_wrong: {
      title: 'Dieses Programm lässt sich so nicht verbinden',
      happened:
        'Mit dem Link, der Sie hierher geführt hat, stimmt etwas nicht, oder er verlangt, Sie ohne eine Seite weiterzuschicken. Was ' +
        'dieses Programm über sich sagt, ist nicht geprüft. Deshalb schicken wir Sie nicht dorthin, bevor Sie es erlaubt haben. Es hat nichts von Ihnen bekommen.',
      advice:
        'Wenn Sie dem Programm vertrauen, beginnen Sie dort noch einmal. Andernfalls schließen Sie diese Seite. Wer es entwickelt, liest die Ursache unten.',
    },
    client_rejected: {
      title: 'Diese App wurde nicht genehmigt',
      happened:
        'Die Personen, die auf diesem Dienst Apps prüfen, haben sie abgelehnt. Sie hat nichts von Ihnen bekommen.',
      advice: 'Fragen Sie die Administration nach den Gründen.',
    },
    app_suspended: {
      title: 'Diese App ist gesperrt',
      happened: 'Die Administration dieses Dienstes hat die App gesperrt. Sie kann zurzeit nicht verbunden werden.',
      advice: 'Fragen Sie die Administration oder die Entwickler der App, wann sie wieder verfügbar ist.',
    },
    owner_inactive: {
      title: 'Diese App ist nicht verfügbar',
      happened: 'Das Konto, zu dem diese App gehört, darf zurzeit keine Apps anbieten.',
      advice: 'Die Entwickler der App müssen die Administration bitten, OAuth für das Konto freizuschalten.',
    },
    sandbox_only: {
      title: 'Sie testen diese App nicht',
      happened:
        'Die App hat ihre Testzugangsdaten verwendet. Damit können nur ihre Entwickler und die von ihnen eingeladenen Testpersonen sie verbinden.',
      advice:
        'Bitten Sie die Entwickler, Ihre E-Mail-Adresse zum Testen einzuladen, oder melden Sie sich mit einem anderen Konto an.',
    },
    sandbox_sign_in: {
      title: 'Melden Sie sich an, um diese App zu testen',
      happened:
        'Die App hat ihre Testzugangsdaten verwendet und verlangt, Ihnen keine Seite zu zeigen. Sie sind nicht angemeldet, deshalb ist nicht bekannt, ob Sie sie testen.',
      advice: 'Wenn Sie die App entwickeln oder testen, melden Sie sich an.',
    },
    sandbox_request_wrong: {
      title: 'Die Anfrage der App ist falsch',
      happened:
        'Die App hat ihre Testzugangsdaten verwendet, und mit dem Link, der Sie hierher geführt hat, stimmt etwas nicht. Was es ist, steht im Ereignisprotokoll der App.',
      advice:
        'Sagen Sie den Entwicklern, was auf dieser Seite steht. Wer sie entwickelt oder testet und angemeldet ist, wird zur App zurückgeschickt.',
    },
    form_refused: {
      title: 'Dieses Formular kann nicht angenommen werden',
      happened:
        'Es kam nicht von unserer eigenen Seite in diesem Browser, oder jemand hat sich an- oder abgemeldet, seit die Seite geöffnet wurde. Die App hat nichts von Ihnen bekommen.',
      advice: `${startAgain} Lassen Sie Cookies für diese Website zu, falls Ihr Browser sie blockiert.`,
    },
    form_incomplete: {
      title: 'Dieses Formular ist unvollständig',
      happened: 'Es muss sagen, ob Sie erlauben oder ablehnen. Die App hat nichts von Ihnen bekommen.',
      advice: startAgain,
    },
    request_over: {
      title: 'Diese Anfrage ist abgelaufen',
      happened:
        'Die Anfrage einer App kann eine Stunde lang beantwortet werden. Diese ist älter, oder die App hat sich seither geändert.',
      advice: startAgain,
    },
  },
  ours: {
    title: 'Etwas ist schiefgegangen',
    happened: 'Der Dienst konnte das nicht tun.',
    advice: 'Versuchen Sie es bald noch einmal. Wenn es so bleibt, nennen Sie der Administration die Anfrage-ID unten.',
  },
  theirs: {
    title: 'Das geht nicht',
    happened: 'Was gesendet wurde, ist nicht, was diese Seite erwartet.',
    advice: startAgain,
  },
  tooMany: { happened: 'Es kamen zu viele Anfragen. Warten Sie einen Moment.' },
}
