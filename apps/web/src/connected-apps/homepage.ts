/** An app's homepage and the host to show for it; undefined unless it is an http or https address. */
export function homepageOf(address: string): { href: string; host: string } | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, href, host } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? { href, host } : undefined
}
