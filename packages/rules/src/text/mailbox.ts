import { findPlainTextViolation, type PlainTextViolation } from './plain-text.ts'

/** An address with the name that is written before it (RFC 5322, 3.4); `name` is empty where there is none. */
type Mailbox = { address: string; name: string }

/** As long as a first name of the profile, which has room for both names of most people. */
export const maxGuestNameLength = 100

/** A name with its quotation marks and the spaces around it, and an address. */
export const maxMailboxLength = 2 * maxGuestNameLength + 2 + 3 + 254

/** Read `Bob Baker <bob@example.org>` or an address alone. A text of another form is returned as the address. */
export function readMailbox(text: string): Mailbox {
  const trimmed = text.trim()
  const opened = trimmed.endsWith('>') ? trimmed.lastIndexOf('<') : -1
  if (opened < 0) return { address: text, name: '' }
  return { address: trimmed.slice(opened + 1, -1).trim(), name: unquote(trimmed.slice(0, opened).trim()) }
}

/** Write a mailbox, so that `readMailbox` reads the same name. */
export const writeMailbox = ({ address, name }: Mailbox): string =>
  name === '' ? address : `${/^[\p{L}\p{M}\p{N} .'’-]+$/u.test(name) ? name : quote(name)} <${address}>`

/** RFC 5322, 3.2.4: a quoted string, in which a backslash precedes quotation marks and backslashes. */
const quote = (name: string) => `"${name.replaceAll(/["\\]/g, '\\$&')}"`

const unquote = (text: string): string =>
  text.length >= 2 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1').trim()
    : text

type GuestNameViolation = PlainTextViolation | { code: 'not_a_name'; message: string }

/**
 * Validate the name that a host gives to a guest. It stands beside the guest's address, so it must not look like another
 * address or like a link, which mail programs would show in its place.
 */
export function findGuestNameViolation(name: string): GuestNameViolation | undefined {
  const violation = findPlainTextViolation(name, { maxLength: maxGuestNameLength })
  if (violation !== undefined) return violation
  // Full-width forms look the same, and invisible characters would hide an address.
  if (!/@|[\p{L}\d+.-]:\/\/|\bwww\.|\bmailto:|[\p{L}\d]\.\p{L}{2,}\//iu.test(visible(name.normalize('NFKC'))))
    return undefined
  return { code: 'not_a_name', message: 'must not hold an email address or a link' }
}

/**
 * The name of a guest as it is kept; empty where the text is no name, repeats the address, or shows nothing. Embeddings and
 * isolates are removed: one that is not closed would reorder the address after the name.
 */
export function guestNameOf(name: string): string {
  if (findGuestNameViolation(name) !== undefined || visible(name).trim() === '') return ''
  return name
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
}

const visible = (text: string) => text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
