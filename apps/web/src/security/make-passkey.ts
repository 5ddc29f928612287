import { addPasskey, type Passkey, preparePasskey } from '@parley/contract'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { client } from '../session/client.ts'

/**
 * Create a passkey in the browser and register it with the service (WebAuthn Level 3, 7.1).
 *
 * @throws ProblemError when the service refuses; Error when the browser or its user declines
 */
export async function makePasskey(wanted: { name: string; currentPassword?: string }): Promise<Passkey> {
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
