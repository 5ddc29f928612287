import { maxCaptionCharacters } from '@parley/client/join'

/** Whether a language can be recognised on this device (Web Speech API, AvailabilityStatus). */
export type LanguageAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available'

type LanguageOptions = { langs: string[]; processLocally: true }
type RecognitionResult = { isFinal: boolean; 0: { transcript: string } }
type RecognitionEvents = {
  result: Event & { resultIndex: number; results: ArrayLike<RecognitionResult> }
  error: Event & { error: string }
  end: Event
}

/** The Web Speech API as far as it is used here. TypeScript's DOM library has nothing of what is local. */
type Recognition = {
  lang: string
  continuous: boolean
  interimResults: boolean
  processLocally: boolean
  start(track: MediaStreamTrack): void
  abort(): void
  addEventListener<Name extends keyof RecognitionEvents>(
    name: Name,
    listener: (event: RecognitionEvents[Name]) => void,
  ): void
}

export type LocalRecognition = {
  new (): Recognition
  prototype: Recognition
  available(options: LanguageOptions): Promise<LanguageAvailability>
  install(options: LanguageOptions): Promise<boolean>
}

/**
 * The browser's speech recognition, if it can be bound to this device: others send the sound to a service of the
 * browser's maker, and are not used.
 */
export function findLocalRecognition(scope: object): LocalRecognition | undefined {
  const { SpeechRecognition, webkitSpeechRecognition }: Record<string, unknown> = Object(scope)
  const found = (SpeechRecognition ?? webkitSpeechRecognition) as Partial<LocalRecognition> | undefined
  const isLocal = found?.prototype !== undefined && 'processLocally' in found.prototype
  return isLocal && found.available !== undefined && found.install !== undefined
    ? (found as LocalRecognition)
    : undefined
}

/** What a language is on this device; a browser that refuses to say, by its policy or settings, has none. */
export const availabilityOf = (recognition: LocalRecognition, language: string): Promise<LanguageAvailability> =>
  recognition.available({ langs: [language], processLocally: true }).catch(() => 'unavailable' as const)

/** Recognition ends by itself after silence, and is started again. */
const restartMs = 300
/** As many ends in a row without a word, within a second each, are a failure. */
const maxQuickEnds = 5
const quickEndMs = 1_000
/** Errors after which the next attempt would fail as well. */
const lastingErrors = new Set(['not-allowed', 'service-not-allowed', 'language-not-supported', 'audio-capture'])

type Dependencies = {
  recognition: LocalRecognition
  language: string
  track: MediaStreamTrack
  nowMs(): number
  /** A line as it is now. */
  onText(text: string, isFinal: boolean): void
  /** Recognition has ended for good. */
  onFailure(): void
}

/** Recognise what a microphone's track hears, on this device. Return a function that ends it. */
export function recognizeSpeech({ recognition, language, track, nowMs, onText, onFailure }: Dependencies): () => void {
  const own = track.clone()
  let current: Recognition | undefined
  let restart: ReturnType<typeof setTimeout> | undefined
  let quickEnds = 0
  /** The unfinished line that the others see. */
  let unfinished = ''

  function finishLine() {
    if (unfinished !== '') onText(unfinished, true)
    unfinished = ''
  }

  function stop() {
    clearTimeout(restart)
    const last = current
    current = undefined
    last?.abort()
    own.stop()
    finishLine()
  }

  function fail() {
    stop()
    onFailure()
  }

  function start() {
    const started = new recognition()
    const startedMs = nowMs()
    let hasFailed = false
    started.lang = language
    started.continuous = true
    started.interimResults = true
    started.processLocally = true
    started.addEventListener('result', ({ resultIndex, results }) => {
      if (current !== started) return
      quickEnds = 0
      const changed = Array.from(results).slice(resultIndex)
      for (const text of changed.filter(({ isFinal }) => isFinal).flatMap((one) => splitText(one[0].transcript))) {
        onText(text, true)
        unfinished = ''
      }
      // What is not final yet comes in several parts.
      const rest = changed.filter(({ isFinal }) => !isFinal).map((one) => one[0].transcript)
      const line = splitText(rest.join(' ')).at(-1) ?? ''
      if (line === unfinished) return
      unfinished = line
      onText(line, false)
    })
    started.addEventListener('error', ({ error }) => {
      hasFailed ||= lastingErrors.has(error)
    })
    started.addEventListener('end', () => {
      if (current !== started) return
      finishLine()
      quickEnds = nowMs() - startedMs < quickEndMs ? quickEnds + 1 : 0
      if (hasFailed || quickEnds > maxQuickEnds) return fail()
      restart = setTimeout(start, restartMs)
    })
    current = started
    try {
      started.start(own)
    } catch {
      fail()
    }
  }

  start()
  return stop
}

/** Split a long text between words into lines of captions. */
export function splitText(text: string): string[] {
  const lines: string[] = []
  let rest = text.trim()
  while (rest.length > maxCaptionCharacters) {
    const space = rest.lastIndexOf(' ', maxCaptionCharacters)
    const end = space > 0 ? space : maxCaptionCharacters
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest === '' ? lines : [...lines, rest]
}
