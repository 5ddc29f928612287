import { Type } from 'typebox'
import { nullableText } from './value.ts'

/** Far longer than the output of any authenticator, including post-quantum keys. */
const maxTextLength = 16_384

export const base64url = (description?: string) =>
  Type.String({ maxLength: maxTextLength, ...(description !== undefined && { description }) })

export const credentialHead = {
  id: base64url(),
  rawId: base64url(),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(nullableText({ maxLength: 32 })),
  clientExtensionResults: Type.Object({}),
}

/** `AuthenticationResponseJSON` of WebAuthn Level 3. */
export const passkeyResponse = Type.Object({
  ...credentialHead,
  response: Type.Object({
    clientDataJSON: base64url(),
    authenticatorData: base64url(),
    signature: base64url(),
    userHandle: Type.Optional(nullableText({ maxLength: maxTextLength })),
  }),
})
