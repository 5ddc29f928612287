import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { profile } from './profile-endpoints.ts'
import { emailAddress, password, plainText, statusReply, timestamp, timeZoneName, token } from './value.ts'

const email = emailAddress({ description: 'Email address: at most 254 characters' })
const newPassword = password('New password: 8 to 256 characters, and none of the most common passwords')

const session = Type.Object({
  token: Type.String({ description: 'For the Authorization header; also set as a cookie' }),
  expiresAt: timestamp({ description: 'When the session ends at the latest' }),
  user: profile,
})

export const signUp = endpoint({
  name: 'signUp',
  method: 'POST',
  path: '/api/auth/sign-up',
  tag: 'Accounts',
  summary: 'Make an account',
  description:
    '201 with a session; 202 without one where the address has to be confirmed first, whether or not it is taken. ' +
    'The account, and with it the room of `svcMeetId` and `roomPIN`, is made when the address is confirmed.',
  access: 'anyone',
  cost: 'elsewhere',
  body: Type.Object({
    email,
    password: newPassword,
    name: plainText(100, 'First name: 1 to 100 characters'),
    lname: Type.Optional(plainText(100, 'Last name: at most 100 characters')),
    timeZone: Type.Optional(timeZoneName()),
    invitation: Type.Optional(token('The token of an invitation, where one is needed')),
    setUpCode: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'For the first account, which is the administrator: the code that the service has printed when it was started. ' +
          'Not needed on the machine itself, and ignored once there is an account.',
        examples: ['7K3M-Q0XD-9ZTA-4HWE'],
      }),
    ),
  }),
  example: { email: 'you@example.org', password: 'correct horse battery staple', name: 'Alice' },
  reply: Type.Object({ ...Type.Partial(Type.Omit(session, ['user'])).properties, user: profile }),
  replyStatuses: [201, 202],
  problems: [
    'email_taken',
    'sign_up_closed',
    'invitation_required',
    'set_up_code_required',
    'wrong_set_up_code',
    'invalid_token',
    'too_many_requests',
  ],
})

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/api/auth/sign-in',
  tag: 'Accounts',
  summary: 'Sign in with a password',
  access: 'anyone',
  cost: 'elsewhere',
  body: Type.Object({
    email: emailAddress({ description: 'Email address of the account' }),
    password: password('Password of the account'),
  }),
  example: { email: 'you@example.org', password: 'your password' },
  reply: session,
  problems: ['wrong_credentials', 'email_not_verified', 'too_many_requests'],
})

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/api/auth/sign-out',
  tag: 'Accounts',
  summary: 'End this session',
  access: 'session',
  cost: 'light',
  reply: statusReply,
  problems: [],
})

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  tag: 'Accounts',
  summary: 'List where you are signed in',
  access: 'session',
  cost: 'query',
  reply: Type.Object({
    sessions: Type.Array(
      Type.Object({
        _id: Type.String({ description: 'Id of the session, for `sessionId`' }),
        createdOn: timestamp({ description: 'When the person signed in' }),
        lastUsedOn: timestamp({ description: 'When it was last used, to within some minutes' }),
        expiresAt: timestamp({ description: 'When it ends at the latest' }),
        address: Type.String({ description: 'IP address that it was begun from' }),
        userAgent: Type.String({ description: 'What the browser said of itself; may be empty' }),
        current: Type.Boolean({ description: 'Whether this request was made with it' }),
      }),
      { description: 'Your sessions' },
    ),
  }),
  problems: [],
})

export const endSession = endpoint({
  name: 'endSession',
  method: 'DELETE',
  path: '/api/auth/sessions/:sessionId',
  tag: 'Accounts',
  summary: 'End one of your sessions',
  access: 'session',
  cost: 'light',
  params: Type.Object({ sessionId: Type.String({ description: '`_id` of the session' }) }),
  reply: statusReply,
  problems: ['session_not_found'],
})

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/auth/sessions',
  tag: 'Accounts',
  summary: 'End all your sessions but this one',
  access: 'session',
  cost: 'light',
  reply: statusReply,
  problems: [],
})

export const changePassword = endpoint({
  name: 'changePassword',
  method: 'POST',
  path: '/api/auth/password',
  tag: 'Accounts',
  summary: 'Change your password',
  access: 'session',
  cost: 'elsewhere',
  body: Type.Object({
    currentPassword: password('The password until now'),
    newPassword,
    signOutEverywhere: Type.Optional(
      Type.Boolean({ default: true, description: 'Ends all other sessions, and every token and passkey' }),
    ),
  }),
  example: { currentPassword: 'your password', newPassword: 'correct horse battery staple' },
  reply: statusReply,
  problems: ['wrong_credentials', 'too_many_requests'],
})

export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/api/auth/password-reset',
  tag: 'Accounts',
  summary: 'Ask for a reset link, or use one',
  description:
    'With `email`: a link is mailed if there is such an account; the answer is the same either way. ' +
    'With `token` and `newPassword`: the password is set, and every session, token and passkey of the account ends. ' +
    'Where the address had not been proven before, so does everything else that another person may hold of the account: ' +
    'consents to apps, host keys, places in rooms.',
  access: 'anyone',
  cost: 'elsewhere',
  body: Type.Object({
    email: Type.Optional(email),
    token: Type.Optional(token('The token of the link that was mailed')),
    newPassword: Type.Optional(newPassword),
  }),
  example: { email: 'you@example.org' },
  reply: statusReply,
  replyStatuses: [200, 202],
  problems: ['invalid_token', 'too_many_requests'],
})

export const verifyEmail = endpoint({
  name: 'verifyEmail',
  method: 'POST',
  path: '/api/auth/verify-email',
  tag: 'Accounts',
  summary: 'Confirm an email address, or ask for the link again',
  description:
    'With `token` and `password`, the one that was chosen at sign-up, the address is confirmed and you are signed in. ' +
    'A person who received the mail but does not know that password sends `newPassword` instead: everything that the ' +
    'person who signed up holds of the account ends. With `token` alone no one is signed in; of an account that exists ' +
    'already, all but the password ends, unless the request carries a session of it. With `email` the link is mailed again.',
  access: 'anyone',
  cost: 'elsewhere',
  body: Type.Object({
    token: Type.Optional(token('The token of the link that was mailed')),
    password: Type.Optional(password('The password that was chosen at sign-up')),
    newPassword: Type.Optional(newPassword),
    email: Type.Optional(email),
  }),
  example: { email: 'you@example.org' },
  reply: Type.Object({ ...statusReply.properties, ...Type.Partial(session).properties }),
  replyStatuses: [200, 202],
  problems: ['invalid_token', 'wrong_credentials', 'sign_up_closed', 'set_up_code_required', 'too_many_requests'],
})
