import { type Static, Type } from 'typebox'
import { signIn } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { nullableText, password, plainText, timestamp } from './value.ts'

/** Far more than any authenticator writes, keys that quantum computers do not break included. */
const maxTextLength = 16_384

const base64url = (description?: string) =>
  Type.String({ maxLength: maxTextLength, ...(description !== undefined && { description }) })

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

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3, as far as this service asks. */
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

/** `PublicKeyCredentialRequestOptionsJSON`: no key is named, so that nothing tells who has one. */
const requestOptions = Type.Object({
  rpId: Type.String(),
  challenge: Type.String(),
  timeout: Type.Integer({ description: 'Milliseconds' }),
  userVerification: Type.Literal('required'),
  allowCredentials: Type.Array(descriptor, { description: 'Empty: the authenticator offers what it has' }),
})

const credentialHead = {
  id: base64url(),
  rawId: base64url(),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(nullableText({ maxLength: 32 })),
  clientExtensionResults: Type.Object({}),
}

/** `RegistrationResponseJSON` of WebAuthn Level 3, which `credential.toJSON()` writes. */
const registration = Type.Object({
  ...credentialHead,
  response: Type.Object({
    clientDataJSON: base64url(),
    attestationObject: base64url(),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
})

/** `AuthenticationResponseJSON` of WebAuthn Level 3. */
const authentication = Type.Object({
  ...credentialHead,
  response: Type.Object({
    clientDataJSON: base64url(),
    authenticatorData: base64url(),
    signature: base64url(),
    userHandle: Type.Optional(nullableText({ maxLength: maxTextLength })),
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

export const addPasskey = endpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/auth/passkeys',
  tag: 'Accounts',
  summary: 'Add the passkey that an authenticator has made',
  description: 'A mail tells of it. Setting a new password, unless told not to sign out everywhere, ends all passkeys.',
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
  body: Type.Object({ credential: authentication }),
  reply: signIn.reply,
  problems: ['wrong_passkey', 'email_not_verified', 'too_many_requests'],
})
