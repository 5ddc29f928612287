import { lastNameLimits, nameLimits, validatePersonName } from '../accounts/account/field-checks.ts'

/** Whom the provider has let in. */
export type Identity = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  name: string
  lname: string
}

/** What is said of somebody in an ID token or at the UserInfo endpoint (OpenID Connect Core 1.0, 5.1). */
export type Claims = Record<string, unknown>

/** Reads the claims into what an account takes; a name that no account could have is none. */
export function readIdentity(issuer: string, subject: string, claims: Claims): Identity {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name].trim() : '')
  const email = text('email')
  const sound = (name: string, limits: typeof nameLimits) =>
    validatePersonName('name', name, limits).length === 0 ? name : ''
  const name = sound(text('given_name'), nameLimits)
  return {
    issuer,
    subject,
    email,
    emailVerified: claims.email_verified === true,
    name: name || sound(text('name'), nameLimits) || (email.split('@')[0] ?? ''),
    // With the whole name in `name`, the last name would stand there twice.
    lname: name === '' ? '' : sound(text('family_name'), lastNameLimits),
  }
}
