import { dataTopics } from '@parley/contract'

export const maxChatCharacters = 2000
/** A line of captions: several lines of the largest size on a phone. */
export const maxCaptionCharacters = 500
export const reactionEmoji = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const

/** First and last name. */
const maxNameCharacters = 250

/** More than the longest chat message as JSON, and the media server's limit. */
const maxBytes = 14_000

/** A message from before joining, as another participant relays it. */
export type EarlierMessage = {
  name: string
  text: string
  /** RFC 3339. */
  sentOn: string
  /**
   * The participant who passed the message on to the relaying participant; absent for a message that the relaying
   * participant received directly.
   */
  relayedBy?: string
}

export type RoomMessage =
  /** `isPrivate`: sent to one participant only. */
  | { kind: 'chat'; text: string; isPrivate?: true }
  | { kind: 'ask_history' }
  | { kind: 'history'; messages: readonly EarlierMessage[]; isLast: boolean }
  | { kind: 'hand'; up: boolean }
  /** Valid only from a host. */
  | { kind: 'lower_hand'; of: string }
  | { kind: 'reaction'; emoji: string }
  /** A line as it is now; its `line` distinguishes it from the sender's next one. `language` is a BCP 47 tag. */
  | { kind: 'caption'; line: number; text: string; isFinal: boolean; isTyped: boolean; language?: string }
  /** Whether the sender reads captions of what people say. */
  | { kind: 'captions_wanted'; on: boolean }

/**
 * The topic of a message on the data channel, by which the media server tells what needs a right. A relayed chat is
 * chat: a participant without the right cannot write in the names of others either.
 */
export function topicOf({ kind }: Pick<RoomMessage, 'kind'>): string {
  if (kind === 'chat' || kind === 'history') return dataTopics.chat
  if (kind === 'caption') return dataTopics.captions
  return kind === 'reaction' ? dataTopics.reactions : dataTopics.signals
}

const knownTopics: readonly string[] = Object.values(dataTopics)

/** Encode a message for the data channel, as UTF-8 JSON. */
export const writeMessage = (message: RoomMessage): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(message))

/** Parse a participant's message; undefined unless every field is valid and the topic is that of its kind. */
export function readMessage(bytes: Uint8Array, topic: string | undefined): RoomMessage | undefined {
  if (topic === undefined || !knownTopics.includes(topic) || bytes.length > maxBytes) return undefined
  const message = readFields(parse(bytes))
  return message !== undefined && topicOf(message) === topic ? message : undefined
}

function readFields(sent: Record<string, unknown>): RoomMessage | undefined {
  if (sent.kind === 'chat' && typeof sent.text === 'string' && isChatText(sent.text)) {
    return { kind: 'chat', text: sent.text, ...(sent.isPrivate === true && { isPrivate: true }) }
  }
  if (sent.kind === 'ask_history') return { kind: 'ask_history' }
  if (sent.kind === 'history' && Array.isArray(sent.messages)) {
    return { kind: 'history', messages: sent.messages.flatMap(readEarlier), isLast: sent.isLast === true }
  }
  if (sent.kind === 'hand' && typeof sent.up === 'boolean') return { kind: 'hand', up: sent.up }
  if (sent.kind === 'lower_hand' && typeof sent.of === 'string') return { kind: 'lower_hand', of: sent.of }
  if (sent.kind === 'reaction' && isReaction(sent.emoji)) return { kind: 'reaction', emoji: sent.emoji }
  if (sent.kind === 'captions_wanted' && typeof sent.on === 'boolean') return { kind: 'captions_wanted', on: sent.on }
  return sent.kind === 'caption' ? readCaption(sent) : undefined
}

/** Letters, digits and hyphens, as BCP 47 tags are; whether the language exists is the browser's matter. */
const languageTag = /^[A-Za-z\d]{2,8}(?:-[A-Za-z\d]{1,8}){0,3}$/

function readCaption({ line, text, isFinal, isTyped, language }: Record<string, unknown>): RoomMessage | undefined {
  if (!Number.isSafeInteger(line) || typeof text !== 'string' || text.length > maxCaptionCharacters) return undefined
  if (typeof isFinal !== 'boolean' || typeof isTyped !== 'boolean') return undefined
  const tag = typeof language === 'string' && languageTag.test(language) ? language : undefined
  return { kind: 'caption', line: Number(line), text, isFinal, isTyped, ...(tag !== undefined && { language: tag }) }
}

function readEarlier(sent: unknown): EarlierMessage[] {
  const { name, text, sentOn, relayedBy }: Record<string, unknown> = Object(sent)
  if (typeof name !== 'string' || name.length > maxNameCharacters) return []
  if (typeof text !== 'string' || !isChatText(text)) return []
  if (typeof sentOn !== 'string' || Number.isNaN(Date.parse(sentOn))) return []
  if (relayedBy !== undefined && (typeof relayedBy !== 'string' || relayedBy.length > maxNameCharacters)) return []
  return [{ name, text, sentOn, ...(relayedBy !== undefined && { relayedBy }) }]
}

const isChatText = (text: string) => text.trim() !== '' && text.length <= maxChatCharacters

export const isReaction = (emoji: unknown): emoji is string => reactionEmoji.some((one) => one === emoji)

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    return Object(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
  } catch {
    return {}
  }
}
