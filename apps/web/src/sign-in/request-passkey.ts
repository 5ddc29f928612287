import { type BodyOf, preparePasskeyConfirmation, preparePasskeySignIn, type signInWithPasskey } from '@parley/contract'
import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
import { client } from '../session/client.ts'

export type PasskeyAnswer = BodyOf<typeof signInWithPasskey>['credential']

type Asking = {
  /** Offers what the browser has in the field of the address, rather than in a dialog. */
  useBrowserAutofill: boolean
  /** Nobody wants the answer any more: then the browser is not asked at all. */
  isOver?: () => boolean
}

/**
 * Has the browser answer a fresh challenge with a passkey (WebAuthn Level 3, 7.2); undefined when it was over before.
 *
 * @throws ProblemError; what the browser throws when it or its user does not want to
 */
export async function requestPasskey({ useBrowserAutofill, isOver }: Asking): Promise<PasskeyAnswer | undefined> {
  const { publicKey } = await client.call(preparePasskeySignIn, { body: {} })
  if (isOver?.()) return undefined
  return answerOf(publicKey, useBrowserAutofill)
}

/**
 * Has the browser confirm with one of the person's own passkeys who is present.
 *
 * @throws ProblemError; what the browser throws when it or its user does not want to
 */
export async function confirmByPasskey(): Promise<PasskeyAnswer> {
  const { publicKey } = await client.call(preparePasskeyConfirmation, { body: {} })
  return answerOf(publicKey, false)
}

async function answerOf(publicKey: object, useBrowserAutofill: boolean): Promise<PasskeyAnswer> {
  // The contract says less of `transports`, which the browser judges itself.
  const optionsJSON = publicKey as PublicKeyCredentialRequestOptionsJSON
  const { id, rawId, type, response, authenticatorAttachment } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill,
  })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    ...{ id, rawId, type, clientExtensionResults: {}, authenticatorAttachment: authenticatorAttachment ?? null },
    response: { clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null },
  }
}
