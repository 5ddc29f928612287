import type { CaptionsSnapshot } from '@parley/client/join'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useVisited } from '../room-context.ts'
import { type CaptionChoice, readCaptionChoice } from './caption-choice.ts'

export type CaptionTools = {
  choice: CaptionChoice
  choose(changed: Partial<CaptionChoice>): void
  toggle(): void
  /** The field for typing captions is open. */
  isTyping: boolean
  /** How often the caller has asked for the field since it was opened: each time, it takes the focus. */
  typingRequests: number
  setTyping(on: boolean): void
}

const storedUnder = 'parley-captions'

/** The caller's captions, as they are kept for the next meetings on this device. */
export function useCaptions(): CaptionTools {
  const { room } = useVisited()
  const [choice, setChoice] = useState(() => readCaptionChoice(localStorage.getItem(storedUnder)))
  const [typingRequests, setTypingRequests] = useState(0)
  const { showsSpeech } = choice
  useEffect(() => room.captions.setWanted(showsSpeech), [room, showsSpeech])
  const choose = (changed: Partial<CaptionChoice>) => {
    const next = { ...choice, ...changed }
    setChoice(next)
    localStorage.setItem(storedUnder, JSON.stringify(next))
  }
  return {
    choice,
    choose,
    toggle: () => choose({ showsSpeech: !showsSpeech }),
    isTyping: typingRequests > 0,
    typingRequests,
    setTyping: (on) => setTypingRequests((count) => (on ? count + 1 : 0)),
  }
}

/** Changes several times in a second while people speak: for the parts that draw captions only. */
export function useCaptionLines(): CaptionsSnapshot {
  const { captions } = useVisited().room
  return useSyncExternalStore(captions.subscribe, captions.snapshot)
}

/** Whether another participant reads captions. */
export function useCaptionsWanted(): boolean {
  const { captions } = useVisited().room
  return useSyncExternalStore(captions.subscribe, () => captions.snapshot().wanted)
}
