/** RFC 5321, 4.5.3.1: the path with its angle brackets has 256 octets, the part before the @ has 64. */
const maxAddressLength = 254
const maxLocalPartLength = 64

/** RFC 5322's atext, and the letters and digits of all scripts (RFC 6531); nothing that is not seen. */
const localWord = /^[!#$%\&'*+\/=?^_`\{\|\}~\-[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]]+$/v
const domainLabel = /^(?!-)[\-[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]]{1,63}(?<!-)$/v

/**
 * Whether a text has the form of an address that mail can be sent to: words and dots, `@`, a host name.
 * Quoted local parts, comments and IP literals are refused: nobody has them, and they are where header injection hides.
 * A host without a dot is taken, because intranets have them. Only a mail that arrives proves more.
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
 * What addresses are compared by: case does not count (no provider in use tells Alice@ from alice@), nor does the way
 * an accented letter is put together. Mail goes to the address as it was given, never to its key.
 */
export const addressKey = (address: string): string => address.normalize('NFC').toLowerCase().normalize('NFC')

/** The host of an address, as a key: what an organisation is known by. */
export const addressDomain = (address: string): string => {
  const key = addressKey(address)
  return key.slice(key.indexOf('@') + 1)
}
