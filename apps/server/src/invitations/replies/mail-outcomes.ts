/**
 * What became of a mail: its answer or proposal was recorded, or why it was dropped. The values of a label of a metric.
 */
export const mailOutcomes = [
  'recorded',
  'proposed', // another time
  'too-large',
  'unreadable',
  'automatic',
  'looping',
  'other-mail', // without a calendar object, or from several people
  'no-answer', // a calendar object of another kind
  'other-sender', // not from the attendee who answers
  'wrong-token', // not sent to the address of this guest and meeting
  'unauthenticated', // by the mail server that MAIL_AUTHSERV_ID names
  'unknown-meeting',
  'not-invited',
  'cancelled', // the meeting, or the date that is answered
  'over',
  'unknown-date', // a date that the series does not have
  'too-many', // mails to one address an hour; answers of one guest to single dates, or proposals
  'outdated', // to a time that has changed, or overtaken by another answer
  'failed', // an error of ours, which is logged
] as const
export type MailOutcome = (typeof mailOutcomes)[number]
