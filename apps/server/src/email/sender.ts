/** A mailbox (RFC 5322, 3.4); `name` is empty where it has none. */
export type Sender = { name: string; address: string }

/** The mailbox of MAIL_FROM, whose form the configuration has checked (`parseMailFrom`). */
export function senderOf(mailFrom: string): Sender {
  const [, name = '', address = mailFrom] = /^(.*?)\s*<([^<>]*)>$/.exec(mailFrom) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1').trim(), address }
}
