import type { Caption } from '@parley/client/join'

/** Lines that follow each other, of one participant, with the name once. */
export type CaptionGroup = Pick<Caption, 'id' | 'from' | 'name' | 'isGuest' | 'isMine' | 'isTyped'> & {
  lines: readonly Caption[]
}

/** A final line stays until it was read at 15 characters in a second, and at least so long. */
const minShownMs = 6_000
const readMsPerCharacter = 66
/** A person who types pauses to think; a line whose end was lost does not stay for the rest of the call. */
const unfinishedShownMs = 30_000
/** More would not fit; the list has all of them. */
const maxShownGroups = 4
const maxShownLines = 3

/**
 * What to show over the stage now, with or without what people say: the latest lines of each person, those who spoke
 * last, in the order in which they began. A person who sends many lines does not displace the others.
 */
export function shownCaptions(captions: readonly Caption[], showsSpeech: boolean, nowMs: number): CaptionGroup[] {
  const isShown = ({ isTyped, isFinal, text, changedOn }: Caption) => {
    const shownMs = isFinal ? Math.max(minShownMs, text.length * readMsPerCharacter) : unfinishedShownMs
    return (isTyped || showsSpeech) && nowMs - changedOn.getTime() < shownMs
  }
  const byPerson = Map.groupBy(captions.filter(isShown), ({ from, isTyped }) => `${from} ${isTyped}`)
  return [...byPerson.values()]
    .map((lines) => groupOf(lines.slice(-maxShownLines)))
    .toSorted((one, other) => lastChangeOf(one) - lastChangeOf(other))
    .slice(-maxShownGroups)
    .toSorted((one, other) => one.id - other.id)
}

const lastChangeOf = ({ lines }: CaptionGroup) => Math.max(...lines.map(({ changedOn }) => changedOn.getTime()))

/** The lines of one person; the name is that of the last one. */
function groupOf(lines: readonly Caption[]): CaptionGroup {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first === undefined || last === undefined) throw new TypeError('A group has at least one line.')
  const { from, name, isGuest, isMine, isTyped } = last
  return { id: first.id, from, name, isGuest, isMine, isTyped, lines }
}

/** Group lines that follow each other by their participant. */
export function groupCaptions(captions: readonly Caption[]): CaptionGroup[] {
  const groups: (CaptionGroup & { lines: Caption[] })[] = []
  for (const line of captions) {
    const last = groups.at(-1)
    if (last?.from === line.from && last.isTyped === line.isTyped && last.name === line.name) last.lines.push(line)
    else {
      const { id, from, name, isGuest, isMine, isTyped } = line
      groups.push({ id, from, name, isGuest, isMine, isTyped, lines: [line] })
    }
  }
  return groups
}

/** Final lines of others since the line with the id `after`, for people who do not see them. */
export const linesToReadOut = (captions: readonly Caption[], readsSpeechOut: boolean): Caption[] =>
  captions.filter(({ isFinal, isMine, isTyped }) => isFinal && !isMine && (isTyped || readsSpeechOut))
