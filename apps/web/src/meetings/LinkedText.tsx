import { Anchor } from '@mantine/core'
import { splitLinks } from '@parley/rules/text/text-links'

/**
 * User-written text with clickable links. An opened page gets neither a referrer, which may be a secret link, nor a
 * reference to our window.
 */
export function LinkedText({ text }: { text: string }) {
  return splitLinks(text).map(({ text: part, href }, index) =>
    href === undefined ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts change only with the text
      <Anchor key={index} href={href} underline="always" target="_blank" rel="noopener noreferrer nofollow">
        {part}
      </Anchor>
    ),
  )
}
