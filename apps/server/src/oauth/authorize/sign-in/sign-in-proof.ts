import { signInWithPasskey } from '@parley/contract'
import type { PasskeyCredential } from '../../../accounts/passkeys/passkey-assertion.ts'
import { type Form, soleText } from '../../../platform/http/form.ts'
import { problem } from '../../../platform/http/problem.ts'
import { createValidator } from '../../../platform/http/validation.ts'

type SignInProof =
  | { kind: 'passkey'; credential: PasskeyCredential }
  | { kind: 'password'; email: string; password: string }
  | { kind: 'missing'; field: 'email' | 'password' }

const validateCredential = createValidator(signInWithPasskey.body)

/**
 * Read the sign-in form: a passkey assertion, else email address and password.
 * @throws wrong_passkey for a malformed assertion
 */
export function readSignInProof(form: Form): SignInProof {
  const sent = soleText(form, 'credential') ?? ''
  if (sent !== '') return { kind: 'passkey', credential: readCredential(sent) }
  const email = soleText(form, 'email') ?? ''
  const password = soleText(form, 'password') ?? ''
  if (email === '') return { kind: 'missing', field: 'email' }
  return password === '' ? { kind: 'missing', field: 'password' } : { kind: 'password', email, password }
}

function readCredential(text: string): PasskeyCredential {
  const body = { credential: parseJson(text) }
  if (validateCredential(body).violations.length > 0) throw problem('wrong_passkey')
  return body.credential as PasskeyCredential
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem('wrong_passkey')
  }
}
