import type { Letter } from './letter.ts'

/**
 * The mails of accounts. Secrets stand in a link's fragment, which no server, proxy or referrer sees. No mail holds text
 * that a stranger chose but for a name, so that nobody sends messages of their own through us.
 */
type Addressed = { baseUrl: string; to: string }

/** For those who use the API alone. */
const fromProgram = (baseUrl: string, path: string, body: string) =>
  `From a program: POST ${baseUrl}${path} with ${body}; the token is what follows the = in the link.`

const unasked = 'If you did not ask for this, ignore this mail: nothing changes.'

export const confirmAddressLetter = ({ baseUrl, to, token }: Addressed & { token: string }): Letter => ({
  to,
  subject: 'Confirm your e-mail address',
  paragraphs: [
    `Somebody, most likely you, signed up at ${baseUrl} with this address. Confirm it within 24 hours:`,
    'Then sign in with the password that you have chosen.',
    'If it was not you, ignore this mail: without the link, nobody can use the account.',
    fromProgram(baseUrl, '/api/auth/verify-email', '{"token": "…"}'),
  ],
  link: { label: 'Confirm my address', address: `${baseUrl}/verify-email#token=${token}` },
})

export const alreadyHaveAccountLetter = ({ baseUrl, to }: Addressed): Letter => ({
  to,
  subject: 'You have an account already',
  paragraphs: [
    `Somebody, most likely you, tried to sign up at ${baseUrl} with this address. There is an account with it already; sign in to that one. If you have forgotten its password, choose a new one:`,
    'If it was not you, ignore this mail: nothing has changed, and whoever it was has not been told that the account exists.',
  ],
  link: { label: 'Choose a new password', address: `${baseUrl}/reset-password` },
})

export const resetPasswordLetter = ({ baseUrl, to, token }: Addressed & { token: string }): Letter => ({
  to,
  subject: 'Choose a new password',
  paragraphs: [
    `Somebody asked for a new password for your account at ${baseUrl}. Choose one within an hour:`,
    'You will be signed out everywhere, and your personal access tokens and passkeys will end.',
    unasked,
    fromProgram(baseUrl, '/api/auth/password-reset', '{"token": "…", "newPassword": "…"}'),
  ],
  link: { label: 'Choose a new password', address: `${baseUrl}/reset-password#token=${token}` },
})

export const passwordChangedLetter = ({ baseUrl, to }: Addressed): Letter => ({
  to,
  subject: 'Your password was changed',
  paragraphs: [
    `The password of your account at ${baseUrl} was changed just now.`,
    'If it was not you, choose a new one at once: that signs everybody out.',
  ],
  link: { label: 'Choose a new password', address: `${baseUrl}/reset-password` },
})

export const passkeyAddedLetter = ({ baseUrl, to }: Addressed): Letter => ({
  to,
  subject: 'A passkey was added to your account',
  paragraphs: [
    `A passkey was added to your account at ${baseUrl} just now. Whoever has it can sign in.`,
    'If it was not you, choose a new password at once: that signs everybody out and removes every passkey.',
  ],
  link: { label: 'Choose a new password', address: `${baseUrl}/reset-password` },
})

export const invitationLetter = ({ baseUrl, to, token }: Addressed & { token: string }): Letter => ({
  to,
  subject: 'You are invited to Parley',
  paragraphs: [
    `An administrator of ${baseUrl} invites you to make an account there with this address. The link is good for 7 days, and once:`,
    'If you do not expect this, ignore this mail.',
    fromProgram(baseUrl, '/api/auth/sign-up', '{"invitation": "…"} beside email, password and name'),
  ],
  link: { label: 'Make an account', address: `${baseUrl}/sign-up#invitation=${token}` },
})
