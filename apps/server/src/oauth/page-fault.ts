import { problems } from '@parley/contract'
import type { Fault, WayOn } from '../pages/fault-page.ts'
import type { ProblemError } from '../platform/problem.ts'

const startAgain = 'Go back to the app and start again.'
const tellDeveloper = 'Tell its developer what this page says. Nothing of yours was given to the app.'

/** Where the way to an app ends on a page of ours instead, because there is no address that one could be sent back to. */
export const pageFaults = {
  client_missing: {
    status: 400,
    title: 'The app did not say which app it is',
    happened: 'The link that brought you here has no client_id.',
    fixer: 'developer',
    advice: tellDeveloper,
  },
  client_ambiguous: {
    status: 400,
    title: 'The app did not say which app it is',
    happened: 'The link that brought you here has more than one client_id.',
    fixer: 'developer',
    advice: tellDeveloper,
  },
  client_unknown: {
    status: 400,
    title: 'There is no such app',
    happened: 'The link that brought you here has a client_id that belongs to no app. The app may have been deleted.',
    fixer: 'developer',
    advice: tellDeveloper,
  },
  redirect_uri_missing: {
    status: 400,
    title: 'The app did not say where to send you back to',
    happened: 'The link that brought you here must have one redirect_uri.',
    fixer: 'developer',
    advice: tellDeveloper,
  },
  redirect_uri_unknown: {
    status: 400,
    title: 'The app wants to send you to an unknown address',
    happened:
      'The redirect_uri of the link that brought you here is not one of the callback URLs that this app has ' +
      'registered. It must be the same, character by character.',
    fixer: 'developer',
    advice: tellDeveloper,
  },
  app_suspended: {
    status: 403,
    title: 'This app is suspended',
    happened: 'The administrator of this service has stopped this app. It cannot be connected now.',
    fixer: 'administrator',
    advice: 'Ask the administrator, or the app’s developer, when it will be back.',
  },
  owner_inactive: {
    status: 403,
    title: 'This app is not available',
    happened: 'The account that this app belongs to may not offer apps at the moment.',
    fixer: 'administrator',
    advice: 'The app’s developer has to ask the administrator to enable OAuth for the account.',
  },
  sandbox_only: {
    status: 403,
    title: 'You are not a tester of this app',
    happened:
      'The app used its test credentials. Only its developer and the testers they have named can connect it so.',
    fixer: 'developer',
    advice: 'Ask the developer to add your e-mail address to the testers, or sign in with another account.',
  },
  sandbox_sign_in: {
    status: 403,
    title: 'Sign in to test this app',
    happened:
      'The app used its test credentials and asked not to show you any page. You are not signed in, so it cannot be ' +
      'known whether you test it.',
    fixer: 'visitor',
    advice: 'If you are its developer or one of its testers, sign in.',
  },
  sandbox_request_wrong: {
    status: 400,
    title: 'The app’s request is wrong',
    happened:
      'The app used its test credentials, and something is wrong with the link that brought you here. What it is stands ' +
      'in the app’s event log.',
    fixer: 'developer',
    advice:
      'Tell its developer what this page says. Its developer and testers, once signed in, are sent back to the app.',
  },
  form_refused: {
    status: 403,
    title: 'This form cannot be accepted',
    happened:
      'It was not sent from our own page in this browser, or somebody has signed in or out since the page was opened. ' +
      'Nothing was given to the app.',
    fixer: 'visitor',
    advice: `${startAgain} Allow cookies for this site if your browser blocks them.`,
  },
  form_incomplete: {
    status: 400,
    title: 'This form is incomplete',
    happened: 'It has to say whether you allow or deny. Nothing was given to the app.',
    fixer: 'visitor',
    advice: startAgain,
  },
  request_over: {
    status: 400,
    title: 'This request is over',
    happened: 'An app’s request waits ten minutes for an answer. This one has expired, or the app has changed since.',
    fixer: 'visitor',
    advice: startAgain,
  },
} as const satisfies Record<string, Fault>

export type PageFaultCode = keyof typeof pageFaults

export type FaultContext = {
  /** In whose event log it is written. */
  client: { appId: string; sandbox: boolean }
  /** What exactly was wrong, where that is more than the page says. */
  cause?: string
  wayOn?: WayOn
}

/** Thrown where it is found, shown in one place. */
export class PageFault extends Error {
  readonly code: PageFaultCode
  readonly context: FaultContext | undefined

  constructor(code: PageFaultCode, context?: FaultContext) {
    super(code)
    this.code = code
    this.context = context
  }
}

/** What an error of ours, or one of the server itself, says on a page. */
export function faultOf(error: PageFault | ProblemError): Fault {
  if (error instanceof PageFault) return pageFaults[error.code]
  const { status, title } = problems[error.code]
  const ours = status >= 500
  return {
    status,
    title: ours ? 'Something went wrong' : 'This does not work',
    happened: title,
    fixer: ours ? 'administrator' : 'visitor',
    advice: ours ? 'Try again soon. If it stays, tell the administrator the request id below.' : startAgain,
  }
}
