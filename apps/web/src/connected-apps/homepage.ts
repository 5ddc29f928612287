/** Where an app's own page is, and the host to show for it; undefined for what is no page of the web. */
export function homepageOf(address: string): { href: string; host: string } | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, href, host } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? { href, host } : undefined
}
