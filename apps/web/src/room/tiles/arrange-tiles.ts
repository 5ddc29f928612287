import type { Participant } from '@parley/client/join'

export type View = 'grid' | 'speaker'

export type Tile = { key: string; person: Participant; source: 'camera' | 'screen' }

export type Arrangement = {
  /** Shown large: a screen, or in the speaker view whoever speaks. */
  main: Tile | undefined
  /** The others that are on this page. */
  others: readonly Tile[]
  page: number
  pages: number
}

type Asked = {
  people: readonly Participant[]
  view: View
  /** Who spoke, the latest first. */
  spoke: readonly string[]
  /** From 0; what is past the last page means the last. */
  page: number
  /** How many tiles a page holds, beside a large one. */
  pageSize: number
}

const cameraOf = (person: Participant): Tile => ({ key: `${person.id} camera`, person, source: 'camera' })
const screenOf = (person: Participant): Tile => ({ key: `${person.id} screen`, person, source: 'screen' })

/**
 * Who is on the page, and who is large. A shared screen is large in every view, the others' screens before one's own; who
 * has just spoken comes onto the first page, and everybody else keeps their place, so that faces do not jump about.
 */
export function arrangeTiles({ people, view, spoke, page, pageSize }: Asked): Arrangement {
  const screens = people.filter(({ screen }) => screen !== null).toSorted((a, b) => Number(a.isMe) - Number(b.isMe))
  const [screen, ...moreScreens] = screens.map(screenOf)
  const speaker = view === 'speaker' ? mainSpeaker(people, spoke) : undefined
  const main = screen ?? (speaker === undefined ? undefined : cameraOf(speaker))
  const faces = people.map(cameraOf).filter(({ key }) => key !== main?.key)
  const rest = [...moreScreens, ...bringForward(faces, spoke, pageSize - moreScreens.length)]

  const pages = Math.max(1, Math.ceil(rest.length / pageSize))
  const shown = Math.min(Math.max(page, 0), pages - 1)
  return { main, others: rest.slice(shown * pageSize, (shown + 1) * pageSize), page: shown, pages }
}

/** The last of the others who spoke, else the first of the others, else oneself. */
function mainSpeaker(people: readonly Participant[], spoke: readonly string[]): Participant | undefined {
  const others = people.filter(({ isMe }) => !isMe)
  const lastSpeaker = spoke
    .map((id) => others.find((person) => person.id === id))
    .find((person) => person !== undefined)
  return lastSpeaker ?? others[0] ?? people[0]
}

/** Puts the last speaker in the last place of the first page, where they are not on it already. */
function bringForward(tiles: readonly Tile[], [last]: readonly string[], pageSize: number): readonly Tile[] {
  const at = tiles.findIndex(({ person }) => person.id === last)
  const speaker = tiles[at]
  if (speaker === undefined || at < pageSize || pageSize < 1) return tiles
  const others = tiles.filter((tile) => tile !== speaker)
  return [...others.slice(0, pageSize - 1), speaker, ...others.slice(pageSize - 1)]
}
