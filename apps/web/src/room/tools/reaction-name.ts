/** A reaction's name for screen readers: a text of `room: reactions.*`. */
const names = {
  '👍': 'yes',
  '👏': 'applause',
  '❤️': 'heart',
  '😂': 'laughter',
  '😮': 'surprise',
  '🎉': 'party',
} as const

type ReactionName = (typeof names)[keyof typeof names]

export const reactionName = (emoji: string): ReactionName => names[emoji as keyof typeof names] ?? 'yes'
