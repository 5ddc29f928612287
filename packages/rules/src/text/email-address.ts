/** RFC 5321, 4.5.3.1: a path with its angle brackets has 256 octets, a local part 64. */
const maxAddressLength = 254
const maxLocalPartLength = 64

/** RFC 5322's atext, and the letters and digits of all scripts (RFC 6531), without invisible characters. */
const localWord = /^[!#$%\&'*+\/=?^_`\{\|\}~\-[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]]+$/v
const domainLabel = /^(?!-)[\-[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]]{1,63}(?<!-)$/v

/**
 * Whether a text has the form of an email address: words and dots, `@`, a host name. Quoted local parts, comments and
 * IP literals are refused: they are not used in practice, and they enable header injection. A host without a dot is
 * accepted, because intranets have them. Only a delivered mail proves more.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > maxAddressLength) return false
  const at = text.indexOf('@')
  if (at < 1 || at > maxLocalPartLength) return false
  return (
    text
      .slice(0, at)
      .split('.')
      .every((word) => localWord.test(word)) &&
    text
      .slice(at + 1)
      .split('.')
      .every((label) => domainLabel.test(label))
  )
}

/**
 * The comparison key of an address: case-insensitive, because providers treat Alice@ and alice@ as the same, and
 * independent of how an accented letter is composed. Mail is sent to the address as given, never to its key.
 */
export const addressKey = (address: string): string => address.normalize('NFC').toLowerCase().normalize('NFC')

/** The host of an address, as a key that identifies an organisation. */
export const addressDomain = (address: string): string => {
  const key = addressKey(address)
  return key.slice(key.indexOf('@') + 1)
}
