import { scopes } from '@parley/contract'
import { html } from '../../platform/html.ts'
import type { PageTexts } from './page-texts.ts'

const startAgain = 'Go back to the app and start again.'
const tellDeveloper = 'Tell its developer what this page says. Nothing of yours was given to the app.'

export const english: PageTexts = {
  errorTitle: (title) => `Error: ${title}`,
  toContinueTo: (app) => html`to continue to ${app}`,
  signedInAs: (name, email) => html`You are signed in as ${name} (${email}).`,
  switchAccount: 'Switch account',
  notYou: 'Not you? Switch account',
  signIn: {
    title: 'Sign in',
    refused: 'You are not signed in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    or: 'or',
    provider: (name) => `Sign in with ${name}`,
    passkey: 'Sign in with a passkey',
    passkeyFailed: 'The passkey was not used. Try again, or sign in another way.',
    passkeyRefused: 'This passkey was not accepted. Try again, or sign in another way.',
    forgot: 'Forgot your password?',
    createAccount: 'Create an account',
    emailMissing: 'Enter your e-mail address.',
    passwordMissing: 'Enter your password.',
    wrongCredentials: 'The e-mail address or the password is wrong.',
    emailNotVerified: 'Confirm your e-mail address first: we have sent you a link.',
    tooManyTries: (minutes) =>
      `Too many tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
  },
  account: {
    title: 'Choose an account',
    continueAs: (name) => html`Continue as ${name}`,
    useAnother: 'Use another account',
  },
  consent: {
    title: (app) => `Allow ${app}?`,
    heading: (app) => html`Allow ${app} to use your account?`,
    by: (owner) => html`by ${owner}`,
    organisation: (name) => html`Organisation: ${name}`,
    willBeAble: (app) => html`${app} will be able to:`,
    willAlsoBeAble: (app) => html`New: ${app} will also be able to:`,
    alreadyAllowed: 'You have already allowed it to:',
    homePage: 'Home page',
    privacy: 'Privacy',
    policy: 'Policy of this app',
    afterwards: 'Afterwards',
    goOnTo: (host) => `You go on to ${host}`,
    newTab: '(opens in a new tab)',
    answer: 'Your answer',
    deny: 'Deny',
    allow: 'Allow',
    revoke: 'You can revoke this any time under connected apps.',
    sandboxTitle: 'This app is being tested',
    sandbox: 'It uses its sandbox. What you allow ends by itself after 7 days.',
    httpTitle: 'The way back is not encrypted',
    http: 'This app takes your answer over plain http. Others on the network may read it on the way.',
  },
  tester: {
    title: (app) => `Test ${app}?`,
    heading: (app) => html`Test ${app}?`,
    asks: (owner, email) => html`${owner} (${email}) asks you to test this app. It has not been reviewed.
Accept only if you know who asks. Accepting gives the app nothing: you are asked about that next.`,
    decline: 'Decline',
    accept: 'Accept',
    changeable: 'You can change your answer any time under connected apps.',
    declinedTitle: 'You have declined',
    declined: (app) =>
      html`You do not test ${app}. It was given nothing, and it is not told where you are. You can close this page.`,
    changeableLater: 'You can change your answer under connected apps.',
  },
  faults: {
    client_missing: {
      title: 'The app did not say which app it is',
      happened: 'The link that brought you here has no client_id.',
      advice: tellDeveloper,
    },
    client_ambiguous: {
      title: 'The app did not say which app it is',
      happened: 'The link that brought you here has more than one client_id.',
      advice: tellDeveloper,
    },
    client_unknown: {
      title: 'There is no such app',
      happened: 'The link that brought you here has a client_id that belongs to no app. The app may have been deleted.',
      advice: tellDeveloper,
    },
    redirect_uri_missing: {
      title: 'The app did not say where to send you back to',
      happened: 'The link that brought you here must have one redirect_uri.',
      advice: tellDeveloper,
    },
    redirect_uri_unknown: {
      title: 'The app wants to send you to an unknown address',
      happened:
        'The redirect_uri of the link that brought you here is not one of the callback URLs that this app has ' +
        'registered. It must be the same, character by character.',
      advice: tellDeveloper,
    },
    app_suspended: {
      title: 'This app is suspended',
      happened: 'The administrator of this service has stopped this app. It cannot be connected now.',
      advice: 'Ask the administrator, or the app’s developer, when it will be back.',
    },
    owner_inactive: {
      title: 'This app is not available',
      happened: 'The account that this app belongs to may not offer apps at the moment.',
      advice: 'The app’s developer has to ask the administrator to enable OAuth for the account.',
    },
    sandbox_only: {
      title: 'You are not a tester of this app',
      happened:
        'The app used its test credentials. Only its developer and the testers they have named can connect it so.',
      advice: 'Ask the developer to add your e-mail address to the testers, or sign in with another account.',
    },
    sandbox_sign_in: {
      title: 'Sign in to test this app',
      happened:
        'The app used its test credentials and asked not to show you any page. You are not signed in, so it cannot be ' +
        'known whether you test it.',
      advice: 'If you are its developer or one of its testers, sign in.',
    },
    sandbox_request_wrong: {
      title: 'The app’s request is wrong',
      happened:
        'The app used its test credentials, and something is wrong with the link that brought you here. What it is ' +
        'stands in the app’s event log.',
      advice:
        'Tell its developer what this page says. Its developer and testers, once signed in, are sent back to the app.',
    },
    form_refused: {
      title: 'This form cannot be accepted',
      happened:
        'It was not sent from our own page in this browser, or somebody has signed in or out since the page was ' +
        'opened. Nothing was given to the app.',
      advice: `${startAgain} Allow cookies for this site if your browser blocks them.`,
    },
    form_incomplete: {
      title: 'This form is incomplete',
      happened: 'It has to say whether you allow or deny. Nothing was given to the app.',
      advice: startAgain,
    },
    request_over: {
      title: 'This request is over',
      happened: 'An app’s request waits an hour for an answer. This one has expired, or the app has changed since.',
      advice: startAgain,
    },
  },
  ours: {
    title: 'Something went wrong',
    advice: 'Try again soon. If it stays, tell the administrator the request id below.',
  },
  theirs: { title: 'This does not work', advice: startAgain },
  tooMany: {},
  scopes,
}
