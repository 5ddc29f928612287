import {
  addPasskey,
  type BodyOf,
  changePassword,
  createPersonalToken,
  deletePasskey,
  deletePersonalToken,
  endOtherSessions,
  endSession,
  type Passkey,
  preparePasskey,
  type ReplyOf,
  renamePasskey,
} from '@parley/contract'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { client } from '../session/client.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'
import { securityKeys } from './security-queries.ts'

/** The changes of the security page, each with the queries that are refreshed after it. */

export const useChangePassword = (handlers: ChangeHandlers<unknown, BodyOf<typeof changePassword>>) =>
  useChange({ mutationFn: (body) => client.call(changePassword, { body }), refreshes: securityKeys.all }, handlers)

export const useEndSession = (handlers: ChangeHandlers<unknown, string>) =>
  useChange(
    {
      mutationFn: (sessionId) => client.call(endSession, { params: { sessionId } }),
      refreshes: securityKeys.all,
    },
    handlers,
  )

export const useEndOtherSessions = (handlers: ChangeHandlers<unknown, void>) =>
  useChange({ mutationFn: () => client.call(endOtherSessions), refreshes: securityKeys.all }, handlers)

export const useCreatePersonalToken = (
  handlers: ChangeHandlers<ReplyOf<typeof createPersonalToken>, BodyOf<typeof createPersonalToken>>,
) =>
  useChange({ mutationFn: (body) => client.call(createPersonalToken, { body }), refreshes: securityKeys.all }, handlers)

/** A passkey or a personal token, by its id. */
export type CredentialId = { passkeyId: string } | { tokenId: string }

export const useEndCredential = (credential: CredentialId, handlers: ChangeHandlers<unknown, void>) =>
  useChange(
    {
      mutationFn: () =>
        'passkeyId' in credential
          ? client.call(deletePasskey, { params: credential })
          : client.call(deletePersonalToken, { params: credential }),
      refreshes: securityKeys.all,
    },
    handlers,
  )

export const useRenamePasskey = (passkeyId: string, handlers: ChangeHandlers<unknown, string> = {}) =>
  useChange(
    {
      mutationFn: (name) => client.call(renamePasskey, { params: { passkeyId }, body: { name } }),
      refreshes: securityKeys.passkeys,
    },
    handlers,
  )

type NewPasskey = { name: string; currentPassword?: string }

export const useAddPasskey = (handlers: ChangeHandlers<Passkey, NewPasskey>) =>
  useChange({ mutationFn: makePasskey, refreshes: securityKeys.all }, handlers)

/**
 * Create a passkey in the browser and register it with the service (WebAuthn Level 3, 7.1).
 *
 * @throws ProblemError when the service refuses; Error when the browser or its user declines
 */
async function makePasskey(wanted: NewPasskey): Promise<Passkey> {
  const { name, ...proof } = wanted
  const { publicKey } = await client.call(preparePasskey, { body: proof })
  // The contract's type of `transports` is narrower than the browser's, which validates it.
  const optionsJSON = publicKey as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, type, response, authenticatorAttachment } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports } = response
  const credential = {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    authenticatorAttachment: authenticatorAttachment ?? null,
    response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
  }
  return client.call(addPasskey, { body: { name, credential } })
}
