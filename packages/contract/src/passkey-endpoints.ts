import { type Static, Type } from 'typebox'
import { signIn } from './account-endpoints.ts'
import { endpoint } from './endpoint.ts'
import { base64url, credentialHead, passkeyResponse } from './passkey-response.ts'
import { nullableText, password, plainText, statusReply, timestamp } from './value.ts'

const passkey = Type.Object({
  _id: Type.String({ description: 'Id of the passkey, for `passkeyId`' }),
  name: Type.String({ description: 'Name that its owner gave it' }),
  createdOn: timestamp({ description: 'When it was added' }),
  lastUsedOn: nullableText({ format: 'date-time', description: 'When it was last used; null: never' }),
  synced: Type.Boolean({ description: 'Whether its maker keeps copies on other devices of the same person' }),
  suspectedOn: nullableText({
    format: 'date-time',
    description: 'When its counter went back, as a copied key does: it has opened nothing since',
  }),
})
export type Passkey = Static<typeof passkey>

const name = plainText(100, 'Name of the passkey: 1 to 100 characters')

const publicKey = Type.Literal('public-key', { description: 'Always `public-key`' })

const descriptor = Type.Object({
  id: Type.String({ description: 'Id of the credential, in base64url' }),
  type: publicKey,
  transports: Type.Array(Type.String(), { description: 'How the authenticator is reached', examples: [['internal']] }),
})

const userVerification = Type.Literal('required', { description: 'The authenticator must recognise its user' })

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3, with the members that this service uses. */
const creationOptions = Type.Object({
  rp: Type.Object(
    {
      id: Type.String({ description: 'Domain that the passkey works for' }),
      name: Type.String({ description: 'Name of the service' }),
    },
    { description: 'The service' },
  ),
  user: Type.Object(
    {
      id: Type.String({ description: 'The account, in base64url' }),
      name: Type.String({ description: 'Email address of the account' }),
      displayName: Type.String({ description: 'Full name of the person' }),
    },
    { description: 'The account' },
  ),
  challenge: Type.String({ description: 'What the authenticator signs, in base64url' }),
  pubKeyCredParams: Type.Array(
    Type.Object({
      type: publicKey,
      alg: Type.Integer({ description: 'COSE number of the algorithm', examples: [-7] }),
    }),
    { description: 'The algorithms that are accepted, the preferred one first' },
  ),
  timeout: Type.Integer({ description: 'Milliseconds within which the person has to act' }),
  excludeCredentials: Type.Array(descriptor, { description: 'The passkeys that the account has already' }),
  authenticatorSelection: Type.Object(
    {
      residentKey: Type.Literal('required', { description: 'The passkey must work without a user name' }),
      requireResidentKey: Type.Literal(true, { description: 'The same, for older browsers' }),
      userVerification,
    },
    { description: 'What the authenticator must be able to do' },
  ),
  attestation: Type.Literal('none', { description: 'The maker of the authenticator is not asked for' }),
})

/**
 * `PublicKeyCredentialRequestOptionsJSON`. Sign-in options name no credential, so that they do not reveal who has one.
 */
const requestOptions = Type.Object({
  rpId: Type.String({ description: 'Domain that the passkey works for' }),
  challenge: Type.String({ description: 'What the authenticator signs, in base64url' }),
  timeout: Type.Integer({ description: 'Milliseconds within which the person has to act' }),
  userVerification,
  allowCredentials: Type.Array(descriptor, { description: 'Empty at a sign-in: the authenticator offers what it has' }),
})

/** What a browser takes to ask for a passkey, in both uses. */
const passkeyRequest = Type.Object({ publicKey: requestOptions })

/** `RegistrationResponseJSON` of WebAuthn Level 3, which `credential.toJSON()` writes. */
const registration = Type.Object({
  ...credentialHead,
  response: Type.Object(
    {
      clientDataJSON: base64url('What the browser signed, in base64url'),
      attestationObject: base64url('The new public key, in base64url'),
      transports: Type.Optional(
        Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16, description: 'How the authenticator is reached' }),
      ),
    },
    { description: '`AuthenticatorAttestationResponseJSON`' },
  ),
})

export const listPasskeys = endpoint({
  name: 'listPasskeys',
  method: 'GET',
  path: '/api/auth/passkeys',
  tag: 'Accounts',
  summary: 'List your passkeys',
  access: 'session',
  cost: 'light',
  reply: Type.Object({ passkeys: Type.Array(passkey, { description: 'Your passkeys' }) }),
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
  cost: 'light',
  body: Type.Object({ currentPassword: Type.Optional(password('Your password, where the sign-in was earlier')) }),
  example: { currentPassword: 'your password' },
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
  cost: 'light',
  body: Type.Object({}),
  example: {},
  reply: passkeyRequest,
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
  cost: 'light',
  body: Type.Object({ name, credential: registration }),
  example: {
    name: 'Laptop',
    credential: {
      id: 'q83vEjRWeJA',
      rawId: 'q83vEjRWeJA',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'e30', attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
    },
  },
  reply: passkey,
  replyStatuses: [201],
  problems: ['passkey_refused', 'passkey_taken', 'too_many_passkeys'],
})

const passkeyPath = Type.Object({ passkeyId: Type.String({ description: '`_id` of the passkey' }) })

export const renamePasskey = endpoint({
  name: 'renamePasskey',
  method: 'PUT',
  path: '/api/auth/passkeys/:passkeyId',
  tag: 'Accounts',
  summary: 'Rename one of your passkeys',
  access: 'session',
  cost: 'light',
  params: passkeyPath,
  body: Type.Object({ name }),
  example: { name: 'Laptop' },
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
  cost: 'light',
  params: passkeyPath,
  reply: statusReply,
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
  cost: 'light',
  body: Type.Object({}),
  example: {},
  reply: passkeyRequest,
  problems: ['too_many_requests'],
})

export const signInWithPasskey = endpoint({
  name: 'signInWithPasskey',
  method: 'POST',
  path: '/api/auth/passkey-sign-in',
  tag: 'Accounts',
  summary: 'Sign in with a passkey',
  access: 'anyone',
  cost: 'light',
  body: Type.Object({ credential: passkeyResponse }),
  example: {
    credential: {
      id: 'q83vEjRWeJA',
      rawId: 'q83vEjRWeJA',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'e30', authenticatorData: 'SZYN5YgOjGh0NBcP', signature: 'MEUCIQ' },
    },
  },
  reply: signIn.reply,
  problems: ['wrong_passkey', 'email_not_verified', 'too_many_requests'],
})
