import { type Static, Type } from 'typebox'

/** More addresses are no use in a conversation; `count` says how many there are. */
const maxShown = 50

const kinds = ['invitation', 'update', 'cancellation'] as const

export const mailParticipants = Type.Optional(
  Type.Boolean({ default: true, description: 'Whether participants are mailed about it' }),
)

/** Who is mailed what. */
export const mailsOutput = Type.Array(
  Type.Object({
    kind: Type.Unsafe<(typeof kinds)[number]>({
      type: 'string',
      enum: kinds,
      description: 'Each has the calendar entry; `update` says what is different, `cancellation` that it is off',
    }),
    count: Type.Integer({ description: 'How many people' }),
    to: Type.Array(Type.String(), { maxItems: maxShown, description: `Their email addresses, at most ${maxShown}` }),
  }),
  { maxItems: kinds.length, description: 'The emails that this causes; empty when no one is mailed' },
)

export type Mails = Static<typeof mailsOutput>

/** Group addresses by the mail that they get. */
export const viewMails = (byKind: Partial<Record<(typeof kinds)[number], readonly string[]>>): Mails =>
  kinds.flatMap((kind) => {
    const addresses = byKind[kind] ?? []
    return addresses.length === 0 ? [] : [{ kind, count: addresses.length, to: addresses.slice(0, maxShown) }]
  })

/** `2 people are mailed an invitation (bob@example.org, carol@example.org)` */
export function writeMails(mails: Mails, verb: 'are' | 'would be' | 'will be'): string {
  if (mails.length === 0) return verb === 'are' ? 'No one is mailed' : `No one ${verb} mailed`
  return mails
    .map(({ kind, count, to }) => {
      const names = to.slice(0, maxInSentence).join(', ') + (count > maxInSentence ? ', …' : '')
      const people = count === 1 ? `One person ${verb === 'are' ? 'is' : verb}` : `${count} people ${verb}`
      return `${people} mailed ${kind === 'cancellation' ? 'a' : 'an'} ${kind} (${names})`
    })
    .join('; ')
}

const maxInSentence = 5

type People = { participants: readonly { email: string }[]; cohosts: readonly string[] }

/** All who are mailed about a meeting: participants and cohosts, each once. */
export function addressesOf({ participants, cohosts }: People): string[] {
  const byKey = new Map(
    [...participants.map(({ email }) => email), ...cohosts].map((email) => [email.toLowerCase(), email]),
  )
  return [...byKey.values()]
}
