import { type MeetingColour, meetingColours } from '@parley/contract'

/** What decides the colour of a meeting to one person. */
type ColourSource = {
  id: string
  /** The meeting that the colour follows: the first part of a series that was split. */
  colourSeed: string | null
  /** The colour that the person has chosen. */
  ownColour: MeetingColour | null
}

/** The colour of a meeting to one person: the chosen one, else one of its id, so that it stays the same everywhere. */
export function colourOf({ id, colourSeed, ownColour }: ColourSource): MeetingColour {
  if (ownColour !== null) return ownColour
  const sum = [...(colourSeed ?? id)].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return meetingColours[sum % meetingColours.length] ?? meetingColours[0]
}
