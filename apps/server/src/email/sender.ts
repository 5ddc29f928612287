/** A mailbox (RFC 5322, 3.4); `name` is empty when it has none. */
type Sender = { name: string; address: string }

/** Parse MAIL_FROM, which the configuration has validated (`parseMailFrom`). */
export function senderOf(mailFrom: string): Sender {
  const [, name = '', address = mailFrom] = /^(.*?)\s*<([^<>]*)>$/.exec(mailFrom) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1').trim(), address }
}
