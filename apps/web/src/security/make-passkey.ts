import { addPasskey, type Passkey, preparePasskey } from '@parley/contract'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { client } from '../session/client.ts'

/**
 * Has the browser make a passkey, and the service keep it (WebAuthn Level 3, 7.1).
 *
 * @throws ProblemError what the service refuses; Error when the browser or its user does not want to
 */
export async function makePasskey(wanted: { name: string; currentPassword?: string }): Promise<Passkey> {
  const { name, ...proof } = wanted
  const { publicKey } = await client.call(preparePasskey, { body: proof })
  // The contract says less of `transports`, which the browser judges itself.
  const optionsJSON = publicKey as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, type, response, authenticatorAttachment } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports } = response
  const credential = {
    ...{ id, rawId, type, clientExtensionResults: {}, authenticatorAttachment: authenticatorAttachment ?? null },
    response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
  }
  return client.call(addPasskey, { body: { name, credential } })
}
