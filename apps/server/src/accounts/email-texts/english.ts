import { signInTexts } from '@parley/contract'
import type { AccountEmailTexts } from './email-texts.ts'

export const english: AccountEmailTexts = {
  confirmAddress: (service) => ({
    subject: 'Confirm your email address',
    lead: `Someone, most likely you, signed up at ${service} with this address. Confirm it within 24 hours:`,
    action: 'Confirm my address',
    rest: [
      'Then sign in with the password you chose.',
      'If it wasn’t you, ignore this email: no one can use the account without the link.',
    ],
  }),
  alreadyHaveAccount: (service) => ({
    subject: 'You already have an account',
    lead: `Someone, most likely you, tried to sign up at ${service} with this address. It already has an account: sign in to that one. If you forgot its password, choose a new one:`,
    action: signInTexts.chooseNewPassword.en,
    rest: ['If it wasn’t you, ignore this email: nothing has changed, and nobody was told that the account exists.'],
  }),
  resetPassword: (service) => ({
    subject: signInTexts.chooseNewPassword.en,
    lead: `Someone asked to reset the password of your account at ${service}. Choose a new one within an hour:`,
    action: signInTexts.chooseNewPassword.en,
    rest: [
      'You will be signed out everywhere, and your personal access tokens and passkeys will stop working.',
      'If you didn’t ask for this, ignore this email: nothing changes.',
    ],
  }),
  passwordChanged: (service) => ({
    subject: 'Your password was changed',
    lead: `The password of your account at ${service} was changed.`,
    action: signInTexts.chooseNewPassword.en,
    rest: ['If it wasn’t you, choose a new password right away: that signs everyone out.'],
  }),
  passkeyAdded: (service) => ({
    subject: 'A passkey was added to your account',
    lead: `A passkey was added to your account at ${service}. Anyone who has it can sign in.`,
    action: signInTexts.chooseNewPassword.en,
    rest: ['If it wasn’t you, choose a new password right away: that signs everyone out and removes every passkey.'],
  }),
  invitation: (service) => ({
    subject: 'You are invited to Parley',
    lead: `An administrator of ${service} invites you to create an account there with this address. The link works once, within 7 days:`,
    action: signInTexts.createAccount.en,
    rest: ['If you weren’t expecting this, ignore this email.'],
  }),
  accountDeleted: (service) => ({
    subject: 'Your account is deleted',
    lead: `Your account at ${service} was deleted, by you or by an administrator. You are signed out everywhere.`,
    action: 'Open the service',
    rest: [
      'Meetings that you had scheduled are cancelled, or offered to their cohosts for seven days where that was chosen. Your data is erased within two days, or two days after the offers have ended, as soon as the guests have been told.',
      'If it was not you, write to the administrators of the service at once.',
    ],
  }),
  handOverOffered: (service, person, day) => ({
    subject: 'You are offered to host meetings',
    lead: `${person} has left ${service}, and offers you to host the meetings that you are a cohost of.`,
    action: 'View the offers',
    rest: [
      `Until you accept, the meetings stay as they are, and nothing is sent in your name. A meeting that no cohost accepts is cancelled on ${day}.`,
      'If you do not know this person, decline, or ignore this email.',
    ],
  }),
  meetingChangedByAdministrator: (service) => ({
    subject: 'An administrator changed your meeting',
    lead: `An administrator of your organisation has changed the dates of a meeting that you host at ${service}. Its guests are told as of a change of yours.`,
    action: 'Open the meeting',
    rest: [
      'Administrators see topic, times and host of your meetings. They see neither PIN and links nor description and participants, and can change none of these.',
    ],
  }),
  meetingCancelledByAdministrator: (service) => ({
    subject: 'An administrator cancelled your meeting',
    lead: `An administrator of your organisation has cancelled a meeting that you host at ${service}, or some of its dates. Its guests are told as of a cancellation of yours.`,
    action: 'See its dates',
    rest: ['The meeting shows which dates still take place.'],
  }),
  oauthRequested: (service, person) => ({
    subject: 'Request for OAuth (Beta)',
    lead: `${person} asks for OAuth (Beta) at ${service}, to register apps.`,
    action: 'View the request',
    rest: ['The page shows the reason. You can accept or decline the request there.'],
  }),
  oauthEnabled: (service) => ({
    subject: 'OAuth (Beta) is enabled for your account',
    lead: `An administrator has accepted your request: you can now register apps at ${service}.`,
    action: 'Register an app',
    rest: ['The sandbox works as soon as you submit an app, while it is being reviewed.'],
  }),
  oauthDeclined: (service) => ({
    subject: 'Your request for OAuth (Beta) was declined',
    lead: `An administrator has declined your request for OAuth (Beta) at ${service}.`,
    action: 'View your request',
    rest: ['You can ask again there.'],
  }),
  declineReason: (reason) => `Reason: ${reason}`,
  fromProgram: (request, body) =>
    `From a program: ${request} with ${body}; the token is what follows the = in the link.`,
  besideSignUp: 'along with email, password and name',
}
