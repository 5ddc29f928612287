import { Type } from 'typebox'
import { nullableText } from './value.ts'

/** Far longer than the output of any authenticator, including post-quantum keys. */
const maxPasskeyTextLength = 16_384

export const base64url = (description: string) => Type.String({ maxLength: maxPasskeyTextLength, description })

export const credentialHead = {
  id: base64url('Id of the credential, in base64url'),
  rawId: base64url('The same as `id`'),
  type: Type.Literal('public-key', { description: 'Always `public-key`' }),
  authenticatorAttachment: Type.Optional(
    nullableText({ maxLength: 32, description: '`platform` or `cross-platform`; null where it is not known' }),
  ),
  clientExtensionResults: Type.Object({}, { description: 'Results of extensions, which are not used' }),
}

/** `AuthenticationResponseJSON` of WebAuthn Level 3. */
export const passkeyResponse = Type.Object({
  ...credentialHead,
  response: Type.Object(
    {
      clientDataJSON: base64url('What the browser signed, in base64url'),
      authenticatorData: base64url('What the authenticator says of itself, in base64url'),
      signature: base64url('The signature over both, in base64url'),
      userHandle: Type.Optional(
        nullableText({
          maxLength: maxPasskeyTextLength,
          description: 'The account, in base64url; null where it is not sent',
        }),
      ),
    },
    { description: '`AuthenticatorAssertionResponseJSON`' },
  ),
})
