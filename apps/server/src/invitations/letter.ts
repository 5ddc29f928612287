import type { InvitationResponse } from '@parley/contract'
import type { LetterKind } from '@parley/rules/invitation-changes'
import type { Language } from '@parley/rules/language'
import { readTimeZone } from '@parley/rules/time-zone'
import type { Service } from '../access/service.ts'
import { addLink, joinLink } from '../meetings/meeting-links.ts'
import { type NoticeContent, openNotice } from '../meetings/meeting-notice.ts'
import { answerLink, answerToken } from './answer-link.ts'
import type { LetterRow } from './letter-store.ts'
import { type Words, wordsIn } from './words/words.ts'

/** One letter with all that its text, its HTML and its calendar say. */
export type Letter = {
  kind: LetterKind
  email: string
  content: NoticeContent
  language: Language
  words: Words
  /** Where the reader's clock stands, when an account is known. */
  readerTimeZone: string | undefined
  readerName: string | undefined
  hostName: string
  hostEmail: string
  /** Whether it goes to the host, whom nobody asks whether they come. */
  isHost: boolean
  response: InvitationResponse | null
  baseUrl: string
  links: { join: string; add: string; answers: Record<InvitationResponse, string> }
}

/** The language of whoever reads; of a stranger, the host's: they know whom they invite. */
export function readLetter({ sealedBox, config }: Pick<Service, 'sealedBox' | 'config'>, row: LetterRow): Letter {
  const { baseUrl, timeZoneAliases } = config
  const { meetingId, addressKey, host, reader } = row
  const content = openNotice(sealedBox, row.sealedContent)
  const language = reader?.language || host.language || 'en'
  const zone = reader?.timeZone ? readTimeZone(reader.timeZone, timeZoneAliases) : undefined
  const token = answerToken(sealedBox, { meetingId, addressKey })
  const link = (answer: InvitationResponse) => answerLink(baseUrl, meetingId, token, answer)
  return {
    kind: row.kind,
    email: row.email,
    content,
    language,
    words: wordsIn(language),
    readerTimeZone: zone?.kind === 'known' ? zone.timeZone : undefined,
    readerName: reader === null ? undefined : nameOf(reader),
    hostName: nameOf(host),
    hostEmail: host.email,
    isHost: row.email === host.email,
    response: row.response,
    baseUrl,
    links: {
      join: joinLink(baseUrl, content.code, content.pin),
      add: addLink(baseUrl, content.code, content.pin),
      answers: { accepted: link('accepted'), tentative: link('tentative'), declined: link('declined') },
    },
  }
}

const nameOf = ({ name, lname }: { name: string; lname: string }) => `${name} ${lname}`.trim()
