import { addPasskey, type BodyOf, deletePasskey, listPasskeys, preparePasskey, renamePasskey } from '@parley/contract'
import { readRequired } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { audit } from '../../access/audit.ts'
import { lockSession } from '../../access/credentials/session-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { findAccount, lockAccount } from '../account/account-store.ts'
import { nameLimits } from '../account/person-fields.ts'
import type { Dependencies } from '../dependencies.ts'
import { emailLanguage, passkeyAddedEmail } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'
import { requireRecentSignIn } from '../password-checks.ts'
import { sessionOf } from '../sessions/sessions.ts'
import {
  algorithms,
  describePasskey,
  type RelyingParty,
  readSignedChallenge,
  relyingPartyOf,
  userHandleOf,
  viewPasskey,
} from './passkey-assertion.ts'
import {
  challengeLifetimeMs,
  consumeChallenge,
  createChallenge,
  deletePasskeyRow,
  insertPasskey,
  listPasskeyRows,
  maxPasskeys,
  renamePasskeyRow,
} from './passkey-store.ts'

/** Register the endpoints of the passkeys in a person's settings. */
export function registerPasskeys(dependencies: Dependencies): void {
  servePreparePasskey(dependencies)
  serveAddPasskey(dependencies)
  serveListPasskeys(dependencies)
  serveRenamePasskey(dependencies)
  serveDeletePasskey(dependencies)
}

/** Create a challenge to add a passkey. A passkey gives lasting access, so a recent sign-in is required. */
function servePreparePasskey(service: Dependencies) {
  const { serve, clock, random, config } = service
  const { id, name } = relyingPartyOf(config)
  serve(preparePasskey, {
    handle: async ({ caller, body: { currentPassword }, request: { address }, database }) => {
      const now = clock.now()
      const sessionId = sessionOf(caller)
      const account = await findAccount(database, caller.accountId)
      if (account === undefined) throw problem('unauthorized')
      await requireRecentSignIn(database, service, { account, sessionId, currentPassword, address, now })
      const passkeys = await listPasskeyRows(database, account.id)
      if (passkeys.length >= maxPasskeys) throw problem('too_many_passkeys')
      const challenge = await createChallenge(database, random, { sessionId, now })
      return {
        publicKey: {
          rp: { id, name },
          user: {
            id: userHandleOf(account),
            name: account.email,
            displayName: `${account.name} ${account.lname}`.trim(),
          },
          challenge: challenge.toString('base64url'),
          pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
          timeout: challengeLifetimeMs,
          // Prevents a second passkey on the same authenticator.
          excludeCredentials: passkeys.map(describePasskey),
          authenticatorSelection: {
            residentKey: 'required' as const,
            requireResidentKey: true as const,
            userVerification: 'required' as const,
          },
          attestation: 'none' as const,
        },
      }
    },
  })
}

/** Add a passkey after its authenticator has signed our challenge. The owner is notified by email. */
function serveAddPasskey(service: Dependencies) {
  const { serve, clock, random, config } = service
  const relyingParty = relyingPartyOf(config)
  serve(addPasskey, {
    read: ({ body }) => readRequired(body.name, (text) => readPlainText('/name', text, nameLimits)),
    handle: async ({ caller, body: { credential }, input: name, request, database }) => {
      const now = clock.now()
      const sessionId = sessionOf(caller)
      const challenge = readSignedChallenge(credential.response.clientDataJSON) ?? ''
      if (!(await consumeChallenge(database, challenge, { sessionId, now }))) throw problem('passkey_refused')
      const registration = await verify(credential, challenge, relyingParty)

      return inTransaction(database, async (tx) => {
        // Serialize additions, so that they are counted correctly; a session that has ended meanwhile adds none.
        const account = await lockAccount(tx, caller.accountId)
        if (account === undefined || !(await lockSession(tx, sessionId))) throw problem('unauthorized')
        if ((await listPasskeyRows(tx, account.id)).length >= maxPasskeys) throw problem('too_many_passkeys')
        const passkey = await insertPasskey(tx, {
          ...registration,
          id: random.uuid(now),
          accountId: account.id,
          name,
          createdAt: now,
        })
        if (passkey === undefined) throw problem('passkey_taken')
        const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
        const detail = { passkeyId: passkey.id, name }
        await audit(tx, random, now, { ...entry, action: 'passkey.added', detail, address: request.address })
        const { baseUrl } = config
        const language = emailLanguage(account.language, request.acceptLanguage)
        await queueEmail(tx, service, passkeyAddedEmail({ baseUrl, to: account.email, language }))
        return viewPasskey(passkey)
      })
    },
  })
}

/**
 * Verify a registration (WebAuthn Level 3, 7.1). @throws passkey_refused for any error: only a tampering program sees
 * it
 */
async function verify(credential: BodyOf<typeof addPasskey>['credential'], challenge: string, party: RelyingParty) {
  const { id, rawId, type, response, clientExtensionResults } = credential
  const { clientDataJSON, attestationObject } = response
  // Loaded at the first use (test/source/lazy-packages.test.ts).
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { id, rawId, type, clientExtensionResults, response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => {
    throw problem('passkey_refused')
  })
  if (!verified) throw problem('passkey_refused')
  return {
    credentialId: Buffer.from(registrationInfo.credential.id, 'base64url'),
    publicKey: Buffer.from(registrationInfo.credential.publicKey),
    counter: registrationInfo.credential.counter,
    transports: [...new Set(response.transports)].filter((transport) => knownTransports.has(transport)),
    synced: registrationInfo.credentialBackedUp,
  }
}

/** The transports of WebAuthn Level 3, 5.8.4, and two older names; others are dropped. */
const knownTransports = new Set(['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'cable', 'internal'])

function serveListPasskeys({ serve }: Dependencies) {
  serve(listPasskeys, {
    handle: async ({ caller, database }) => {
      const passkeys = await listPasskeyRows(database, caller.accountId)
      return { passkeys: passkeys.map(viewPasskey) }
    },
  })
}

function serveRenamePasskey({ serve }: Dependencies) {
  serve(renamePasskey, {
    read: ({ body }) => readRequired(body.name, (text) => readPlainText('/name', text, nameLimits)),
    handle: async ({ caller, params: { passkeyId }, input: name, database }) => {
      const renamed = isUuid(passkeyId)
        ? await renamePasskeyRow(database, caller.accountId, passkeyId, name)
        : undefined
      if (renamed === undefined) throw problem('passkey_not_found')
      return viewPasskey(renamed)
    },
  })
}

/** Delete a passkey. Sessions that it began continue; they are ended in the list of sessions. */
function serveDeletePasskey({ serve, clock, random }: Dependencies) {
  serve(deletePasskey, {
    handle: ({ caller, params: { passkeyId }, request, database }) =>
      inTransaction(database, async (tx) => {
        const name = isUuid(passkeyId) ? await deletePasskeyRow(tx, caller.accountId, passkeyId) : undefined
        if (name === undefined) throw problem('passkey_not_found')
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const detail = { passkeyId, name }
        const { address } = request
        await audit(tx, random, clock.now(), { ...entry, action: 'passkey.removed', detail, address })
        return { status: 'The passkey is removed.' }
      }),
  })
}
