import type { InvitationResponse } from '@parley/contract'
import type { ChangedField, InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'

/** Whatever the mails about meetings say in one language. A `date` is written already, in words of the same language. */
export type Words = {
  /** For Intl. */
  locale: string
  subjects: Record<InvitationEmailKind, (topic: string, date: string) => string>
  leads: Record<InvitationEmailKind, (host: string, date: string) => string>
  fields: Record<Exclude<ChangedField, 'dates'>, string>
  changed: string
  before: string
  after: string
  nothing: string
  /** Before dates that had been cancelled, and before dates that were told. */
  restored: string
  removed: string
  andMore: string
  when: string
  yourTime: string
  /** Of a time on a clock. */
  zone: (zone: string) => string
  wasToBe: string
  repeats: string
  once: string
  host: string
  /** Who a mail comes from: the host, through the service of this name. */
  via: (host: string, service: string) => string
  meetingId: string
  pin: string
  description: string
  join: string
  add: string
  question: string
  answers: Record<InvitationResponse, string>
  footer: (host: string, address: string, recipient: string) => string
  keep: string
  /** Of a calendar that leaves meetings out. */
  feedIsCut: (limit: number) => string
  everyDay: (interval: number) => string
  everyWeek: (interval: number, days: string) => string
  /** `on` is one of the three that follow. */
  everyMonth: (interval: number, on: string) => string
  onDate: (day: number) => string
  onLastDay: string
  onWeekdays: (ordinals: string, days: string) => string
  /** First, second, third, fourth, last. */
  ordinals: readonly [string, string, string, string, string]
  until: (rhythm: string, date: string) => string
  /** Of the link in a reminder, and the page behind it. `address` is whose reminders stop. */
  reminders: {
    link: string
    title: string
    ask: (address: string) => string
    stop: string
    stopped: (address: string) => string
    resume: string
  }
  page: {
    title: string
    from: (host: string) => string
    press: string
    recorded: Record<InvitationResponse, string>
    changeable: string
    unknownTitle: string
    unknown: string
    overTitle: string
    over: string
    advice: string
  }
}
