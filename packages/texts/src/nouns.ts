import type {} from 'i18next'
import type accountEmails from '../en/account-emails.json'
import type accounts from '../en/accounts.json'
import type administration from '../en/administration.json'
import type app from '../en/app.json'
import type appEmails from '../en/app-emails.json'
import type apps from '../en/apps.json'
import type breakout from '../en/breakout.json'
import type call from '../en/call.json'
import type connectedApps from '../en/connected-apps.json'
import type embed from '../en/embed.json'
import type errorPages from '../en/error-pages.json'
import type help from '../en/help.json'
import type invitationEmails from '../en/invitation-emails.json'
import type join from '../en/join.json'
import type meeting from '../en/meeting.json'
import type meetings from '../en/meetings.json'
import type notifications from '../en/notifications.json'
import type oauthPages from '../en/oauth-pages.json'
import type occurrence from '../en/occurrence.json'
import type problems from '../en/problems.json'
import type push from '../en/push.json'
import type reviews from '../en/reviews.json'
import type room from '../en/room.json'
import type schedule from '../en/schedule.json'
import type scopes from '../en/scopes.json'
import type security from '../en/security.json'
import type settings from '../en/settings.json'
import type signIn from '../en/sign-in.json'
import type ssoPages from '../en/sso-pages.json'
import type violations from '../en/violations.json'
import type webhookEmails from '../en/webhook-emails.json'
import type webhooks from '../en/webhooks.json'

/**
 * The texts by noun, typed by the English files: an unknown key does not compile. A noun is one file in each language's
 * folder and one line here. The texts of emails are in `{noun}-emails`, those of the server's pages in `{noun}-pages`.
 */
export type Texts = {
  'account-emails': typeof accountEmails
  accounts: typeof accounts
  administration: typeof administration
  app: typeof app
  'app-emails': typeof appEmails
  apps: typeof apps
  breakout: typeof breakout
  call: typeof call
  'connected-apps': typeof connectedApps
  embed: typeof embed
  'error-pages': typeof errorPages
  help: typeof help
  'invitation-emails': typeof invitationEmails
  join: typeof join
  meeting: typeof meeting
  meetings: typeof meetings
  notifications: typeof notifications
  'oauth-pages': typeof oauthPages
  occurrence: typeof occurrence
  problems: typeof problems
  push: typeof push
  reviews: typeof reviews
  room: typeof room
  schedule: typeof schedule
  scopes: typeof scopes
  security: typeof security
  settings: typeof settings
  'sign-in': typeof signIn
  'sso-pages': typeof ssoPages
  violations: typeof violations
  'webhook-emails': typeof webhookEmails
  webhooks: typeof webhooks
}

export type Noun = keyof Texts

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: Texts
  }
}
