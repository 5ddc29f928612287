/** What happens in a room, for those who do not see it. */
export type Happening =
  | {
      kind: 'waiting' | 'joined' | 'left' | 'muted' | 'unmuted' | 'hand' | 'sharing' | 'sharingEnded'
      id: string
      name: string
    }
  | { kind: 'chat'; id: string; name: string; text: string }

type Counted = 'waiting' | 'joined' | 'left' | 'muted' | 'unmuted' | 'hand' | 'sharing' | 'sharingEnded' | 'chat'

/** A text of `room: said.*` with what it is filled with. */
export type Announcement =
  | { key: `one.${Counted}`; name: string; text: string }
  | { key: `many.${Counted}`; count: number }

/** What matters most is said first: whoever hears it may be in the middle of listening to people. */
const order = [
  'hand',
  'chat',
  'sharing',
  'sharingEnded',
  'joined',
  'left',
  'unmuted',
  'muted',
] as const satisfies readonly Counted[]
/** More sentences at once would not be heard out. */
export const maxSentences = 3
/** As much of a message as is read out; the whole of it is in the chat. */
const maxQuoteLength = 140

/**
 * What is said of all that happened since the last time: one sentence a kind, and a number where several people did the
 * same. What was undone meanwhile is not said.
 */
export function announce(happenings: readonly Happening[]): Announcement[] {
  const standing = happenings.filter((one, at) => !happenings.slice(at + 1).some((later) => undoes(later, one)))
  return order
    .flatMap((kind): Announcement[] => {
      const same = standing.filter((one) => one.kind === kind)
      const [first] = same
      if (first === undefined) return []
      if (same.length > 1) return [{ key: `many.${kind}`, count: same.length }]
      const text = first.kind === 'chat' ? shorten(first.text) : ''
      return [{ key: `one.${kind}`, name: first.name, text }]
    })
    .slice(0, maxSentences)
}

const opposites: Partial<Record<Happening['kind'], Happening['kind']>> = {
  joined: 'left',
  left: 'joined',
  muted: 'unmuted',
  unmuted: 'muted',
  sharing: 'sharingEnded',
}

/** Also says it once where the same is told twice; two messages are two. */
const undoes = (later: Happening, one: Happening) =>
  later.id === one.id && (opposites[one.kind] === later.kind || (later.kind === one.kind && one.kind !== 'chat'))

const shorten = (text: string) => (text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text)
