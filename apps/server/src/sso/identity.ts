import { lastNameLimits, nameLimits, readPersonName } from '../accounts/account/person-fields.ts'

/** A user whom the provider has authenticated. */
export type Identity = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  name: string
  lname: string
}

/** The claims of an ID token or a UserInfo response (OpenID Connect Core 1.0, 5.1). */
type Claims = Record<string, unknown>

/** Map claims to the fields of an account; names that an account may not have become empty. */
export function readIdentity(issuer: string, subject: string, claims: Claims): Identity {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name].trim() : '')
  const email = text('email')
  const validName = (name: string, limits: typeof nameLimits) => readPersonName('/name', name, limits).value ?? ''
  const name = validName(text('given_name'), nameLimits)
  return {
    issuer,
    subject,
    email,
    emailVerified: claims.email_verified === true,
    name: name || validName(text('name'), nameLimits) || (email.split('@')[0] ?? ''),
    // A full name in `name` contains the last name already.
    lname: name === '' ? '' : validName(text('family_name'), lastNameLimits),
  }
}
