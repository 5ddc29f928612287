import { type BodyOf, preparePasskeyConfirmation, preparePasskeySignIn, type signInWithPasskey } from '@parley/contract'
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { client } from '../session/client.ts'

export type PasskeyResponse = BodyOf<typeof signInWithPasskey>['credential']

type PasskeyRequest = {
  /** Offer passkeys in the address field's autofill rather than in a dialog. */
  useBrowserAutofill: boolean
  /** When aborted before the request, the browser shows nothing. */
  isOver?: () => boolean
}

/**
 * Request an assertion of a fresh challenge from the browser (WebAuthn Level 3, 7.2); undefined when aborted before.
 *
 * @throws ProblemError; what the browser throws when it or its user declines
 */
export async function requestPasskey({
  useBrowserAutofill,
  isOver,
}: PasskeyRequest): Promise<PasskeyResponse | undefined> {
  const { publicKey } = await client.call(preparePasskeySignIn, { body: {} })
  if (isOver?.()) return undefined
  return answerOf(publicKey, useBrowserAutofill)
}

/**
 * Reauthenticate with one of the account's passkeys.
 *
 * @throws ProblemError; what the browser throws when it or its user declines
 */
export async function confirmByPasskey(): Promise<PasskeyResponse> {
  const { publicKey } = await client.call(preparePasskeyConfirmation, { body: {} })
  return answerOf(publicKey, false)
}

async function answerOf(publicKey: object, useBrowserAutofill: boolean): Promise<PasskeyResponse> {
  // The contract's type of `transports` is narrower than the browser's, which validates it.
  const optionsJSON = publicKey as PublicKeyCredentialRequestOptionsJSON
  const { id, rawId, type, response, authenticatorAttachment } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill,
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    id,
    rawId,
    type,
    clientExtensionResults: {},
    authenticatorAttachment: authenticatorAttachment ?? null,
    response: { clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null },
  }
}
