import { html } from '../../../platform/http/html.ts'
import type { PageTexts } from './page-texts.ts'

const appNotNamed = 'The app didn’t say which app it is'
const thisProgram = 'this program'
const startAgain = 'Go back to the app and start over.'
const reportToDeveloper = 'Tell its developer what this page says. The app got nothing of yours.'

export const english: PageTexts = {
  errorTitle: (title) => `Error: ${title}`,
  toContinueTo: (app) => html`to continue to ${app}`,
  signedInAs: (name, email) => html`You are signed in as ${name} (${email}).`,
  unnamed: { within: thisProgram, start: thisProgram, actor: 'This program' },
  switchAccount: 'Switch account',
  notYou: 'Not you? Switch account',
  signIn: {
    refused: 'You are not signed in',
    provider: (name) => `Sign in with ${name}`,
    passkeyFailed: 'No passkey was used. Try again, or sign in another way.',
    passkeyRefused: 'This passkey was not accepted. Try again, or sign in another way.',
    emailMissing: 'Enter your email address.',
    passwordMissing: 'Enter your password.',
    wrongCredentials: 'The email address or the password is wrong.',
    emailNotVerified: 'Confirm your email address first: we’ve sent you a link.',
    emailNotVerifiedWithoutMail:
      'Confirm your email address first. This service does not send email: ask the people who run it how.',
    tooManyTries: (minutes) =>
      `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`,
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
    newUse: {
      api: (app) => html`New: ${app} also asks for the programming interface (API) of this service. It reaches more than
the tools for assistants (MCP), such as attendance, notifications and the controls of a room, as far as the list below
permits. What you allowed before does not include it.`,
      mcp: (
        app,
      ) => html`New: ${app} also asks for the tools for assistants (MCP) of this service, with which an AI model
reads and acts for you as far as the list below permits. What you allowed before does not include them.`,
    },
    leaveOut: 'Clear the checkbox of anything that you don’t want to allow.',
    nothingSelectedTitle: 'Nothing is selected',
    nothingSelected: 'Select what you want to allow, or deny.',
    homePage: 'Home page',
    privacy: 'Privacy',
    policy: 'Privacy policy of this app',
    afterwards: 'Afterwards',
    goOnTo: (host) => `You continue to ${host}`,
    goOnToDevice: 'You continue to the app on this device',
    newTab: '(opens in a new tab)',
    answer: 'Your answer',
    deny: 'Deny',
    allow: 'Allow',
    revoke: 'You can revoke this any time under Connected apps.',
    sandboxTitle: 'This app is being tested',
    sandbox: 'It’s running in its sandbox. What you allow expires after 7 days.',
    httpTitle: 'The way back is not encrypted',
    http: 'This app receives your answer over plain http. Others on the network may be able to read it.',
    runsHere: 'You continue to a program that runs on this computer',
    registeredItself: 'It registered itself',
    unknownProgram: 'A program that registered itself',
    notReviewed: 'What it says about itself has not been reviewed.',
    trialTitle: 'Not reviewed yet',
    trial:
      'You can connect this app before its review because you review apps here, or administer this service. What you allow expires after 7 days.',
  },
  tester: {
    title: (app) => `Test ${app}?`,
    heading: (app) => html`Test ${app}?`,
    asks: (owner, email) => html`${owner} (${email}) asks you to test this app.
Accept only if you know this person. Accepting gives the app no access yet: you’ll be asked about that next.`,
    notApproved: 'No reviewer has approved what you are asked to test.',
    decline: 'Decline',
    accept: 'Accept',
    changeable: 'You can change your answer any time under Connected apps.',
    declinedTitle: 'You declined',
    declined: (app) =>
      html`You aren’t testing ${app}. It got nothing of yours and isn’t told about your answer. You can close this page.`,
    changeableLater: 'You can change your answer under Connected apps.',
  },
  errors: {
    client_missing: {
      title: appNotNamed,
      happened: 'The link that brought you here has no client_id (or clientId).',
      advice: reportToDeveloper,
    },
    client_ambiguous: {
      title: appNotNamed,
      happened: 'The link that brought you here has more than one client_id.',
      advice: reportToDeveloper,
    },
    client_unknown: {
      title: 'This app doesn’t exist',
      happened: 'The link that brought you here has a client_id that belongs to no app. The app may have been deleted.',
      advice: reportToDeveloper,
    },
    redirect_uri_missing: {
      title: 'The app didn’t say where to send you back to',
      happened: 'The link that brought you here must have one redirect_uri.',
      advice: reportToDeveloper,
    },
    redirect_uri_unknown: {
      title: 'The app wants to send you to an unknown address',
      happened:
        'The redirect_uri of the link that brought you here is not one of the callback URLs that this app has ' +
        'registered. It must be the same, character by character.',
      advice: reportToDeveloper,
    },
    client_url_invalid: {
      title: 'The address of this app can’t be used',
      happened: 'The link that brought you here names the app by an address that breaks the rules for such addresses.',
      advice: reportToDeveloper,
    },
    client_not_allowed: {
      title: 'Apps like this aren’t allowed here',
      happened:
        'The administrator of this service has not allowed apps of this kind, or of this provider, to be connected.',
      advice: 'Ask the administrator whether it can be allowed. The app got nothing of yours.',
    },
    client_document_invalid: {
      title: 'The description of this app can’t be used',
      happened:
        'The app is known by the address of a document that describes it. The document couldn’t be fetched, or something in it is wrong.',
      advice:
        'Try again in a few minutes. If this page comes back, tell the app’s developer what it says. The app got nothing of yours.',
    },
    client_under_review: {
      title: 'Your administrator decides about this app',
      happened:
        'The app is not approved here yet. It waits for the people who review apps on this service. It got nothing of yours.',
      advice: 'Come back later and connect it again, or ask the administrator.',
    },
    client_request_wrong: {
      title: 'This program can’t be connected this way',
      happened:
        'The link that brought you here has something wrong in it, or asked us to send you on without a page. What this program says ' +
        'about itself has not been reviewed, so we don’t send you to it before you have allowed it. It got nothing of yours.',
      advice:
        'If you trust the program, start over in it. Otherwise close this page. Its developer can read the cause below.',
    },
    client_rejected: {
      title: 'This app was not approved',
      happened: 'The people who review apps on this service have decided against it. It got nothing of yours.',
      advice: 'Ask the administrator for the reasons.',
    },
    app_suspended: {
      title: 'This app is suspended',
      happened: 'The administrator of this service has stopped this app. It can’t be connected now.',
      advice: 'Ask the administrator, or the app’s developer, when it will be back.',
    },
    owner_inactive: {
      title: 'This app is not available',
      happened: 'The account that owns this app isn’t allowed to offer apps at the moment.',
      advice: 'The app’s developer needs to ask the administrator to enable OAuth for the account.',
    },
    sandbox_only: {
      title: 'You are not a tester of this app',
      happened:
        'The app used its test credentials. Only its developer and the testers they invited can connect it this way.',
      advice: 'Ask the developer to invite your email address as a tester, or sign in with another account.',
    },
    sandbox_sign_in: {
      title: 'Sign in to test this app',
      happened:
        'The app used its test credentials and asked us not to show you any page. You aren’t signed in, so we ' +
        'don’t know whether you are a tester.',
      advice: 'If you are its developer or one of its testers, sign in.',
    },
    sandbox_request_wrong: {
      title: 'The app’s request is wrong',
      happened:
        'The app used its test credentials, and something is wrong with the link that brought you here. The app’s event log ' +
        'says what.',
      advice:
        'Tell its developer what this page says. Its developer and testers, once signed in, are sent back to the app.',
    },
    form_refused: {
      title: 'This form can’t be accepted',
      happened:
        'It wasn’t sent from our own page in this browser, or someone signed in or out since the page was ' +
        'opened. The app got nothing of yours.',
      advice: `${startAgain} Allow cookies for this site if your browser blocks them.`,
    },
    form_incomplete: {
      title: 'This form is incomplete',
      happened: 'It must say whether you allow or deny. The app got nothing of yours.',
      advice: startAgain,
    },
    request_over: {
      title: 'This request has expired',
      happened: 'A request of an app can be answered for an hour. This one is older, or the app has changed since.',
      advice: startAgain,
    },
  },
  ours: {
    title: 'Something went wrong',
    advice: 'Try again soon. If it keeps happening, tell the administrator the request ID below.',
  },
  theirs: { title: 'This doesn’t work', advice: startAgain },
  tooMany: {},
}
