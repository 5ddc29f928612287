export const captionSizes = ['small', 'medium', 'large'] as const
export const captionPlaces = ['bottom', 'top'] as const

/** How a person reads captions on this device. */
export type CaptionChoice = {
  /** What people say; what they type is always shown, because it cannot be heard. */
  showsSpeech: boolean
  size: (typeof captionSizes)[number]
  place: (typeof captionPlaces)[number]
  /** A screen reader or braille display reads speech out as well. Off at first: most of its users hear the people. */
  readsSpeechOut: boolean
  /** Whether this device captions what the person says; null until the person has decided. */
  writesSpeech: boolean | null
  /** The language that the person speaks, a BCP 47 tag; null for the one that fits the browser's. */
  speechLanguage: string | null
}

export const defaultCaptions: CaptionChoice = {
  showsSpeech: false,
  size: 'medium',
  place: 'bottom',
  readsSpeechOut: false,
  writesSpeech: null,
  speechLanguage: null,
}

/** Validated, because other versions of the page or the user may have written any value. */
export function readCaptionChoice(value: string | null): CaptionChoice {
  const { showsSpeech, size, place, readsSpeechOut, writesSpeech, speechLanguage } = parsed(value)
  return {
    showsSpeech: showsSpeech === true,
    size: captionSizes.find((one) => one === size) ?? defaultCaptions.size,
    place: captionPlaces.find((one) => one === place) ?? defaultCaptions.place,
    readsSpeechOut: readsSpeechOut === true,
    writesSpeech: typeof writesSpeech === 'boolean' ? writesSpeech : null,
    speechLanguage: typeof speechLanguage === 'string' ? speechLanguage : null,
  }
}

function parsed(value: string | null) {
  try {
    return Object(JSON.parse(value ?? ''))
  } catch {
    return {}
  }
}
