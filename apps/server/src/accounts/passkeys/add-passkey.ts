import { addPasskey, type BodyOf } from '@parley/contract'
import { readPlainText } from '@parley/rules/text/plain-text'
import { readRequired } from '@parley/rules/text/reading'
import { audit } from '../../access/audit.ts'
import { lockSession } from '../../access/credentials/session-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { lockAccount } from '../account/account-store.ts'
import { nameLimits } from '../account/person-fields.ts'
import type { AccountsService } from '../accounts-service.ts'
import { emailLanguage, passkeyAddedEmail } from '../email-links/account-emails.ts'
import { queueEmail } from '../email-links/queue-email.ts'
import { sessionOf } from '../sessions/own-session.ts'
import { consumeChallenge } from './passkey-challenge-store.ts'
import { insertPasskey, listPasskeyRows, maxPasskeys } from './passkey-store.ts'
import { viewPasskey } from './passkey-view.ts'
import { algorithms, type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { readSignedChallenge } from './signed-challenge.ts'

/** Add a passkey after its authenticator has signed our challenge. The owner is notified by email. */
export function serveAddPasskey(service: AccountsService) {
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
  // Loaded at the first use (decision 0106).
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
