import { type Static, Type } from 'typebox'
import { signIn } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { base64url, credentialHead, passkeyResponse } from './passkey-response.ts'
import { nullableText, password, plainText, timestamp } from './value.ts'

const passkey = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  createdOn: timestamp(),
  lastUsedOn: nullableText({ format: 'date-time' }),
  synced: Type.Boolean({ description: 'Whether its maker keeps copies on other devices of the same person' }),
  suspectedOn: nullableText({
    format: 'date-time',
    description: 'When its counter went back, as a copied key does: it has opened nothing since',
  }),
})
export type Passkey = Static<typeof passkey>

const name = plainText(100, '1 to 100 characters')

const descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Array(Type.String()),
})

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3, with the members that this service uses. */
const creationOptions = Type.Object({
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  excludeCredentials: Type.Array(descriptor),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
})

/**
 * `PublicKeyCredentialRequestOptionsJSON`. Sign-in options name no credential, so that they do not reveal who has one.
 */
const requestOptions = Type.Object({
  rpId: Type.String(),
  challenge: Type.String(),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  userVerification: Type.Literal('required'),
  allowCredentials: Type.Array(descriptor, { description: 'Empty at a sign-in: the authenticator offers what it has' }),
})

/** `RegistrationResponseJSON` of WebAuthn Level 3, which `credential.toJSON()` writes. */
const registration = Type.Object({
  ...credentialHead,
  response: Type.Object({
    clientDataJSON: base64url(),
    attestationObject: base64url(),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
})

export const listPasskeys = endpoint({
  name: 'listPasskeys',
  method: 'GET',
  path: '/api/auth/passkeys',
  tag: 'Accounts',
  summary: 'List your passkeys',
  access: 'session',
  reply: Type.Object({ passkeys: Type.Array(passkey) }),
  problems: [],
})

export const preparePasskey = endpoint({
  name: 'preparePasskey',
  method: 'POST',
  path: '/api/auth/passkeys/options',
  tag: 'Accounts',
  summary: 'Begin to add a passkey',
  description:
    'What `navigator.credentials.create()` takes, after `PublicKeyCredential.parseCreationOptionsFromJSON()`; good ' +
    'for five minutes and once. Needs `currentPassword`, unless you have signed in within the last ten minutes.',
  access: 'session',
  body: Type.Object({ currentPassword: Type.Optional(password()) }),
  reply: Type.Object({ publicKey: creationOptions }),
  problems: ['recent_sign_in_required', 'wrong_credentials', 'too_many_passkeys', 'too_many_requests'],
})

export const preparePasskeyConfirmation = endpoint({
  name: 'preparePasskeyConfirmation',
  method: 'POST',
  path: '/api/auth/passkeys/confirmation/options',
  tag: 'Accounts',
  summary: 'Begin to confirm with a passkey that it is you',
  description:
    'What `navigator.credentials.get()` takes, after `PublicKeyCredential.parseRequestOptionsFromJSON()`; good for five ' +
    'minutes, once, and in this session. Send what it answers as `credential` of the request that needs it.',
  access: 'session',
  body: Type.Object({}),
  reply: Type.Object({ publicKey: requestOptions }),
  problems: ['passkey_not_found', 'too_many_requests'],
})

export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/auth/passkeys',
  tag: 'Accounts',
  summary: 'Add the passkey that an authenticator has made',
  description:
    'The account’s owner is notified by email. Setting a new password removes all passkeys, unless the request keeps the other sessions.',
  access: 'session',
  body: Type.Object({ name, credential: registration }),
  reply: passkey,
  replyStatuses: [201],
  problems: ['passkey_refused', 'passkey_taken', 'too_many_passkeys'],
})

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  method: 'PUT',
  path: '/api/auth/passkeys/:passkeyId',
  tag: 'Accounts',
  summary: 'Rename one of your passkeys',
  access: 'session',
  params: Type.Object({ passkeyId: Type.String() }),
  body: Type.Object({ name }),
  reply: passkey,
  problems: ['passkey_not_found'],
})

export const deletePasskey = endpoint({
  name: 'deletePasskey',
  method: 'DELETE',
  path: '/api/auth/passkeys/:passkeyId',
  tag: 'Accounts',
  summary: 'Remove one of your passkeys at once',
  access: 'session',
  params: Type.Object({ passkeyId: Type.String() }),
  reply: Type.Object({ status: Type.String() }),
  problems: ['passkey_not_found'],
})

export const preparePasskeySignIn = endpoint({
  name: 'preparePasskeySignIn',
  method: 'POST',
  path: '/api/auth/passkey-sign-in/options',
  tag: 'Accounts',
  summary: 'Begin to sign in with a passkey',
  description:
    'What `navigator.credentials.get()` takes, after `PublicKeyCredential.parseRequestOptionsFromJSON()`; good for ' +
    'five minutes and once.',
  access: 'anyone',
  body: Type.Object({}),
  reply: Type.Object({ publicKey: requestOptions }),
  problems: ['too_many_requests'],
})

export const signInWithPasskey = endpoint({
  name: 'signInWithPasskey',
  method: 'POST',
  path: '/api/auth/passkey-sign-in',
  tag: 'Accounts',
  summary: 'Sign in with a passkey',
  access: 'anyone',
  body: Type.Object({ credential: passkeyResponse }),
  reply: signIn.reply,
  problems: ['wrong_passkey', 'email_not_verified', 'too_many_requests'],
})
