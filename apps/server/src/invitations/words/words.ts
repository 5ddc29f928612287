import type { InvitationResponse } from '@parley/contract'
import type { ChangedField, InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'

/**
 * The texts of the mails about meetings in one language. `date` arguments are already formatted in the same language.
 */
export type Words = {
  /** The locale for Intl. */
  locale: string
  subjects: Record<InvitationEmailKind, (topic: string, date: string) => string>
  leads: Record<InvitationEmailKind, (host: string, date: string) => string>
  /** The labels of a meeting's properties, and of what a change lists. */
  fields: Record<Exclude<ChangedField, 'dates' | 'occurrences'>, string>
  changed: string
  before: string
  after: string
  nothing: string
  /** The headings of restored dates, and of announced dates that no longer take place. */
  restored: string
  /** The heading of changed dates, each with its former and its present times. */
  changedDates: string
  removed: string
  andMore: string
  yourTime: string
  /** The zone after a time. */
  zone: (zone: string) => string
  wasToBe: string
  once: string
  host: string
  /** The sender's name: the host, through the service of this name. */
  via: (host: string, service: string) => string
  join: string
  add: string
  question: string
  answers: Record<InvitationResponse, string>
  footer: (host: string, address: string, recipient: string) => string
  keep: string
  /** The description of a feed that does not contain all meetings. */
  feedIsCut: (limit: number) => string
  /** Added to the description of a feed in which texts or dates of series were left out. */
  feedIsShortened: string
  /** The description of the exported calendar. */
  exportIsLimited: (maxMeetings: number, maxMegabytes: number) => string
  /** After a text that was cut, in calendars; `link` is the one to join. */
  textIsCut: (link: string) => string
  /** A note in a mail whose calendar does not contain all that differs in a series; `link` adds the meeting. */
  calendarIsShortened: (link: string) => string
  /** The same in a mail that calls dates off. */
  cancellationIsShortened: string
  everyDay: (interval: number) => string
  everyWeek: (interval: number, days: string) => string
  /** `on` is one of the next three texts. */
  everyMonth: (interval: number, on: string) => string
  onDate: (day: number) => string
  onLastDay: string
  onWeekdays: (ordinals: string, days: string) => string
  /** First, second, third, fourth, last. */
  ordinals: readonly [string, string, string, string, string]
  until: (rhythm: string, date: string) => string
  times: (rhythm: string, count: number) => string
  /** The texts of the link in a reminder, and of the page behind it. `address` is the one whose reminders stop. */
  reminders: {
    link: string
    title: string
    ask: (address: string) => string
    stop: string
    stopped: (address: string) => string
    resume: string
  }
  /** The daily email with answers, and the page behind its link. `address` is the host's. */
  digest: {
    title: string
    subject: (count: string) => string
    proposes: (person: string, times: string) => string
    open: string
    link: string
    footer: (service: string) => string
    ask: (address: string) => string
    stop: string
    stopped: (address: string) => string
    resume: string
  }
  page: {
    from: (host: string) => string
    press: string
    recorded: Record<InvitationResponse, string>
    changeable: string
    /** The response is about one date of a series. */
    oneDate: string
    unknownTitle: string
    unknown: string
    overTitle: string
    over: string
    advice: string
  }
}
