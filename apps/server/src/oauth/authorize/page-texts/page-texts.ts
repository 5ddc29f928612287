import type { Resource } from '@parley/rules/oauth/resource'
import type { Html } from '../../../platform/http/html.ts'
import type { AuthorizeErrorCode } from '../authorize-error.ts'

type ErrorText = { title: string; happened: string; advice: string }

/**
 * What the pages on the way to an app say, in one language. Names come as markup, isolated from the text around them.
 */
export type PageTexts = {
  errorTitle: (title: string) => string
  toContinueTo: (app: Html) => Html
  signedInAs: (name: Html, email: Html) => Html
  /** An app that cannot be named: within a sentence, at the start of one, and as what acts. */
  unnamed: { within: string; start: string; actor: string }
  switchAccount: string
  notYou: string
  signIn: {
    refused: string
    provider: (name: string) => string
    passkeyFailed: string
    passkeyRefused: string
    emailMissing: string
    passwordMissing: string
    wrongCredentials: string
    emailNotVerified: string
    /** Where no email leaves the service. */
    emailNotVerifiedWithoutMail: string
    tooManyTries: (minutes: number) => string
  }
  account: { title: string; continueAs: (name: Html) => Html; useAnother: string }
  consent: {
    title: (app: string) => string
    heading: (app: Html) => Html
    by: (owner: Html) => Html
    organisation: (name: Html) => Html
    willBeAble: (app: Html) => Html
    willAlsoBeAble: (app: Html) => Html
    alreadyAllowed: string
    /** Of an app that was allowed to use another resource so far (RFC 8707). */
    newUse: Record<Resource, (app: Html) => Html>
    leaveOut: string
    nothingSelectedTitle: string
    nothingSelected: string
    homePage: string
    privacy: string
    policy: string
    afterwards: string
    goOnTo: (host: string) => string
    goOnToDevice: string
    newTab: string
    answer: string
    deny: string
    allow: string
    revoke: string
    sandboxTitle: string
    sandbox: string
    httpTitle: string
    http: string
    /** Where the redirect leads to the person's own computer. */
    runsHere: string
    /** Of a client without a document and without a developer. */
    registeredItself: string
    /** The same client before a review, which is not called by the name that it has chosen. */
    unknownProgram: string
    notReviewed: string
    trialTitle: string
    trial: string
  }
  tester: {
    title: (app: string) => string
    heading: (app: Html) => Html
    asks: (owner: Html, email: Html) => Html
    /** Of a version that no reviewer has approved. */
    notApproved: string
    decline: string
    accept: string
    changeable: string
    declinedTitle: string
    declined: (app: Html) => Html
    changeableLater: string
  }
  errors: Record<AuthorizeErrorCode, ErrorText>
  /**
   * What goes wrong on our side, and what was sent wrongly. `happened` is absent where the problem's own title is
   * shown.
   */
  ours: { title: string; happened?: string; advice: string }
  theirs: { title: string; happened?: string; advice: string }
  tooMany: { happened?: string }
}
