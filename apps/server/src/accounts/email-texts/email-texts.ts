/** What one mail says: a sentence, what its button says, and the sentences after it. `service` is an address. */
export type EmailText = { subject: string; lead: string; action: string; rest: readonly string[] }

/** The mails of accounts in one language. */
export type AccountEmailTexts = {
  confirmAddress: (service: string) => EmailText
  alreadyHaveAccount: (service: string) => EmailText
  resetPassword: (service: string) => EmailText
  passwordChanged: (service: string) => EmailText
  passkeyAdded: (service: string) => EmailText
  invitation: (service: string) => EmailText
  accountDeleted: (service: string) => EmailText
  /** `person` is a name with an address, `day` the last one on which the offer can be accepted. */
  handOverOffered: (service: string, person: string, day: string) => EmailText
  /** To the host. */
  meetingChangedByAdministrator: (service: string) => EmailText
  meetingCancelledByAdministrator: (service: string) => EmailText
  /** To administrators; `person` is a name with an address. */
  oauthRequested: (service: string, person: string) => EmailText
  oauthEnabled: (service: string) => EmailText
  oauthDeclined: (service: string) => EmailText
  /** A paragraph of a declined request, with what the administrator wrote. */
  declineReason: (reason: string) => string
  /** For those who use the API alone: `request` is a method and an address, `body` what is sent. */
  fromProgram: (request: string, body: string) => string
  /** What follows the body of a sign-up by invitation. */
  besideSignUp: string
}
