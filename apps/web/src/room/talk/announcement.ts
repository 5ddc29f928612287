/** An event in a room, for people who do not see it. */
export type Happening =
  | {
      kind: 'waiting' | 'joined' | 'left' | 'muted' | 'unmuted' | 'hand' | 'sharing' | 'sharingEnded'
      id: string
      name: string
      isGuest: boolean
    }
  | { kind: 'chat'; id: string; name: string; isGuest: boolean; text: string }

type Counted = 'waiting' | 'joined' | 'left' | 'muted' | 'unmuted' | 'hand' | 'sharing' | 'sharingEnded' | 'chat'

/** A text of `room: announcements.*` with its values. */
export type Announcement =
  | { key: `one.${Counted}`; name: string; isGuest: boolean; text: string }
  | { key: `many.${Counted}`; count: number }

/** The most important first, because the listener may be in a conversation. */
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
/** A screen reader's user would not listen to more sentences at once. */
const maxSentences = 3
/** Longer messages are cut; the chat has the whole text. */
const maxQuoteLength = 140

/**
 * Summarize the events since the last announcement: one sentence per kind, with a number when several people did the
 * same. Events that were undone are left out.
 */
export function announce(happenings: readonly Happening[]): Announcement[] {
  const remaining = happenings.filter((one, at) => !happenings.slice(at + 1).some((later) => undoes(later, one)))
  return order
    .flatMap((kind): Announcement[] => {
      const same = remaining.filter((one) => one.kind === kind)
      const [first] = same
      if (first === undefined) return []
      if (same.length > 1) return [{ key: `many.${kind}`, count: same.length }]
      const text = first.kind === 'chat' ? shorten(first.text) : ''
      return [{ key: `one.${kind}`, name: first.name, isGuest: first.isGuest, text }]
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

/** Whether a later event reverses or repeats an earlier one; two chat messages never do. */
const undoes = (later: Happening, one: Happening) =>
  later.id === one.id && (opposites[one.kind] === later.kind || (later.kind === one.kind && one.kind !== 'chat'))

const shorten = (text: string) => (text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text)
