import type { Words } from './words.ts'

export const german: Words = {
  locale: 'de',
  subjects: {
    invitation: (topic) => `Einladung: ${topic}`,
    update: (topic) => `Geändert: ${topic}`,
    cancellation: (topic) => `Abgesagt: ${topic}`,
    removal: (topic) => `Nicht mehr eingeladen: ${topic}`,
    'occurrence-cancellation': (topic, date) => `Abgesagt am ${date}: ${topic}`,
    'occurrence-update': (topic, date) => `Geändert am ${date}: ${topic}`,
    'series-end': (topic, date) => `Abgesagt ab ${date}: ${topic}`,
    'series-continued': (topic, date) => `Geändert ab ${date}: ${topic}`,
    reminder: (topic) => `Erinnerung: ${topic}`,
  },
  leads: {
    invitation: (host) => `${host} lädt Sie zu einer Besprechung ein.`,
    update: () => 'Eine Besprechung, zu der Sie eingeladen sind, wurde geändert.',
    cancellation: () => 'Diese Besprechung wurde abgesagt.',
    removal: () => 'Sie sind zu dieser Besprechung nicht mehr eingeladen.',
    'occurrence-cancellation': (_host, date) =>
      `Ein Termin dieser Besprechung wurde abgesagt: ${date}. Die anderen bleiben.`,
    'occurrence-update': (_host, date) => `Ein Termin dieser Besprechung wurde geändert: ${date}. Die anderen bleiben.`,
    'series-end': (_host, date) => `Diese Besprechung wurde ab ${date} abgesagt.`,
    'series-continued': (_host, date) =>
      `Ab ${date} wird diese Besprechung durch eine andere fortgesetzt. Zu ihr erhalten Sie eine Einladung.`,
    reminder: (_host, date) => `Diese Besprechung beginnt bald: ${date}.`,
  },
  fields: {
    topic: 'Thema',
    time: 'Wann',
    rule: 'Wiederholung',
    description: 'Beschreibung',
    link: 'Besprechungs-ID',
    pin: 'PIN',
  },
  changed: 'Das hat sich geändert',
  before: 'Bisher',
  after: 'Jetzt',
  nothing: 'nichts',
  restored: 'Findet wieder statt',
  changedDates: 'Geänderte Termine',
  removed: 'Findet nicht mehr statt',
  andMore: 'und weitere',
  yourTime: 'Ihre Zeit',
  zone: (zone) => `(${zone})`,
  wasToBe: 'Geplant war',
  once: 'Einmal',
  host: 'Von',
  via: (host, service) => `${host} über ${service}`,
  join: 'An der Besprechung teilnehmen',
  add: 'Zu meinen Besprechungen hinzufügen',
  question: 'Kommen Sie?',
  answers: { accepted: 'Ja', tentative: 'Vielleicht', declined: 'Nein' },
  footer: (host, address, recipient) =>
    `Sie bekommen diese Mail, weil ${host} ${recipient} zu einer Besprechung auf ${address} eingeladen hat.`,
  keep: 'Link und PIN führen in die Besprechung: Geben Sie beides nur an Personen weiter, die kommen sollen.',
  feedIsCut: (limit) =>
    `Hier stehen nur ${limit} Ihrer Besprechungen: zuerst die bevorstehenden, dann die zuletzt vergangenen.`,
  feedIsShortened:
    'Einige lange Texte und einzelne Termine fehlen hier: Sie stehen auf der Seite der jeweiligen Besprechung.',
  exportIsLimited: (maxMeetings, maxMegabytes) =>
    `Diese Datei enthält höchstens ${maxMeetings} Besprechungen und ${maxMegabytes} MB; der Export als JSON enthält alles.`,
  textIsCut: (link) =>
    `Dieser Text ist länger, als ein Kalendereintrag sein kann. Der Rest steht auf der Seite der Besprechung: ${link}`,
  calendarIsShortened: (link) =>
    `Diese Serie hat mehr abweichende Termine, als in eine E-Mail passen. Ihr Kalender erhält die nächsten; auf der Seite der Besprechung stehen alle: ${link}`,
  cancellationIsShortened:
    'Diese Serie hat mehr abweichende Termine, als in eine E-Mail passen. Falls Ihr Kalender einige davon behält, löschen Sie sie dort.',
  everyDay: (interval) => (interval === 1 ? 'Jeden Tag' : `Alle ${interval} Tage`),
  everyWeek: (interval, days) => `${interval === 1 ? 'Jede Woche' : `Alle ${interval} Wochen`}: ${days}`,
  everyMonth: (interval, on) => `${interval === 1 ? 'Jeden Monat' : `Alle ${interval} Monate`} ${on}`,
  onDate: (day) => `am ${day}.`,
  onLastDay: 'am letzten Tag',
  onWeekdays: (ordinals, days) => `am ${ordinals} ${days}`,
  ordinals: ['ersten', 'zweiten', 'dritten', 'vierten', 'letzten'],
  until: (rhythm, date) => `${rhythm}, bis ${date}`,
  times: (rhythm, count) => `${rhythm}, ${count}-mal`,
  reminders: {
    link: 'Keine Erinnerungen an diese Besprechung mehr',
    title: 'Erinnerungen',
    ask: (address) => `Sollen an ${address} keine Erinnerungen an diese Besprechung mehr gesendet werden?`,
    stop: 'Erinnerungen beenden',
    stopped: (address) =>
      `${address} erhält keine Erinnerungen an diese Besprechung mehr. Einladungen und Änderungen kommen weiterhin an.`,
    resume: 'Wieder erinnern',
  },
  digest: {
    title: 'Neue Antworten zu Ihren Besprechungen',
    subject: (count) => `Neue Antworten zu Ihren Besprechungen: ${count}`,
    proposes: (person, times) => `${person} schlägt eine andere Zeit vor: ${times}`,
    open: 'Ihre Besprechungen öffnen',
    link: 'Diese tägliche E-Mail abbestellen',
    footer: (service) =>
      `Sie erhalten diese E-Mail, weil in Ihrem Profil auf ${service} die tägliche Übersicht der Antworten eingeschaltet ist.`,
    ask: (address) => `Soll die tägliche Übersicht der Antworten nicht mehr an ${address} gesendet werden?`,
    stop: 'Übersicht abbestellen',
    stopped: (address) =>
      `${address} erhält die tägliche Übersicht der Antworten nicht mehr. Ihre Besprechungen zeigen sie weiterhin.`,
    resume: 'Übersicht wieder senden',
  },
  page: {
    from: (host) => `${host} lädt Sie ein.`,
    press: 'Wählen Sie Ihre Antwort. Sie können sie später ändern.',
    recorded: {
      accepted: 'Sie haben zugesagt. Die Leitung sieht Ihre Antwort.',
      tentative: 'Sie haben mit Vielleicht geantwortet. Die Leitung sieht Ihre Antwort.',
      declined: 'Sie haben abgesagt. Die Leitung sieht Ihre Antwort.',
    },
    changeable: 'Sie können Ihre Antwort noch ändern:',
    oneDate: 'Ihre Antwort gilt nur für diesen Termin.',
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown: 'Er ist unvollständig oder nicht mehr gültig, oder Sie sind zu der Besprechung nicht mehr eingeladen.',
    overTitle: 'Hier ist nichts mehr zu beantworten',
    over: 'Die Besprechung ist vorbei oder wurde abgesagt.',
    advice: 'Nehmen Sie die neueste Mail zu der Besprechung, oder fragen Sie die Person, die Sie eingeladen hat.',
  },
}
