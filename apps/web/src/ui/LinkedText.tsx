import { Anchor } from '@mantine/core'
import { partsOf } from './text-links.ts'

/**
 * What somebody wrote, with its addresses as links. A page that is opened learns nothing of this one, whose address may be
 * a way in, and does not get hold of its window.
 */
export function LinkedText({ text }: { text: string }) {
  return partsOf(text).map(({ text: part, href }, index) =>
    href === undefined ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text change with the text alone
      <Anchor key={index} href={href} underline="always" target="_blank" rel="noopener noreferrer nofollow">
        {part}
      </Anchor>
    ),
  )
}
