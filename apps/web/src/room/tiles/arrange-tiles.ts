import type { Participant } from '@parley/client/join'

export type View = 'grid' | 'speaker'

export type Tile = { key: string; person: Participant; source: 'camera' | 'screen' }

/** The tiles outside the grid. */
type Featured = {
  /** Shown large: a pinned tile, a screen, the only other participant, or the speaker in speaker view. */
  main: Tile | undefined
  /** The caller's camera in a corner, when there is at most one other participant. */
  self: Tile | undefined
}

type Arrangement = {
  /** The tiles of the grid on this page. */
  others: readonly Tile[]
  page: number
  pages: number
}

type FeaturedOptions = {
  people: readonly Participant[]
  view: View
  /** The ids of recent speakers, latest first. */
  spoke: readonly string[]
  /** The pinned tile's key. */
  pinned: string | undefined
  /** The ids of people whose camera is not shown. */
  hidden: ReadonlySet<string>
}

const cameraOf = (person: Participant): Tile => ({ key: `${person.id} camera`, person, source: 'camera' })
const screenOf = (person: Participant): Tile => ({ key: `${person.id} screen`, person, source: 'screen' })

/** Screens first, those of others before the caller's own. */
function allTiles(people: readonly Participant[], hidden: ReadonlySet<string>): readonly Tile[] {
  const screens = people.filter(({ screen }) => screen !== null).toSorted((a, b) => Number(a.isMe) - Number(b.isMe))
  return [...screens.map(screenOf), ...people.filter(({ id }) => !hidden.has(id)).map(cameraOf)]
}

type HidingOptions = {
  people: readonly Participant[]
  spoke: readonly string[]
  pinned: string | undefined
  hidesSelf: boolean
  hidesVideoless: boolean
}
type Hiding = {
  /** The ids of people whose camera is not shown. */
  hidden: ReadonlySet<string>
  /** How many of them are others, without video. */
  videoless: number
}

/**
 * Whose camera is not shown. Without video, the latest speaker, raised hands and a pinned person are shown as well, and
 * everyone while no one has video.
 */
export function chooseHidden({ people, spoke: [last], pinned, hidesSelf, hidesVideoless }: HidingOptions): Hiding {
  const others = people.filter(({ isMe }) => !isMe)
  const videoless = others.filter(
    (person) =>
      person.camera === null && person.handPlace === null && person.id !== last && cameraOf(person).key !== pinned,
  )
  const hides = hidesVideoless && videoless.length < others.length
  return {
    hidden: new Set([
      ...(hides ? videoless.map(({ id }) => id) : []),
      ...people.filter(({ isMe }) => isMe && hidesSelf).map(({ id }) => id),
    ]),
    videoless: hides ? videoless.length : 0,
  }
}

/** A shared screen is large in every view, except the caller's own, which would show itself. */
export function chooseFeatured({ people, view, spoke, pinned, hidden }: FeaturedOptions): Featured {
  const tiles = allTiles(people, hidden)
  const chosen = tiles.find(({ key }) => key === pinned) ?? tiles.find(isForeignScreen)
  if (chosen !== undefined) return { main: chosen, self: undefined }
  const others = people.filter(({ id, isMe }) => !isMe && !hidden.has(id))
  const [other] = others
  const me = people.find(({ id, isMe }) => isMe && !hidden.has(id))
  if (others.length <= 1) return { main: other && cameraOf(other), self: me && cameraOf(me) }
  const speaker = view === 'speaker' ? lastSpeaker(others, spoke) : undefined
  return { main: speaker && cameraOf(speaker), self: undefined }
}

const isForeignScreen = ({ person, source }: Tile) => source === 'screen' && !person.isMe

/** The latest speaker among the others, otherwise the first of them. */
const lastSpeaker = (others: readonly Participant[], spoke: readonly string[]): Participant | undefined =>
  spoke.map((id) => others.find((person) => person.id === id)).find((person) => person !== undefined) ?? others[0]

type ArrangeOptions = {
  people: readonly Participant[]
  featured: Featured
  hidden: ReadonlySet<string>
  spoke: readonly string[]
  /** Zero-based; a number past the last page means the last. */
  page: number
  /** Tiles per page next to a large one. */
  pageSize: number
}

/**
 * The tiles of one page. The latest speaker moves to the first page; all others keep their positions, so that faces do
 * not jump.
 */
export function arrangeTiles({ people, featured, hidden, spoke, page, pageSize }: ArrangeOptions): Arrangement {
  const apart = new Set([featured.main?.key, featured.self?.key])
  const tiles = allTiles(people, hidden).filter(({ key }) => !apart.has(key))
  const screens = tiles.filter(({ source }) => source === 'screen')
  const faces = tiles.filter(({ source }) => source === 'camera')
  const rest = [...screens, ...bringForward(faces, spoke, pageSize - screens.length)]

  const pages = Math.max(1, Math.ceil(rest.length / pageSize))
  const shown = Math.min(Math.max(page, 0), pages - 1)
  return { others: rest.slice(shown * pageSize, (shown + 1) * pageSize), page: shown, pages }
}

/** Put the latest speaker into the last position of the first page, unless already on it. */
function bringForward(tiles: readonly Tile[], [last]: readonly string[], pageSize: number): readonly Tile[] {
  const at = tiles.findIndex(({ person }) => person.id === last)
  const speaker = tiles[at]
  if (speaker === undefined || at < pageSize || pageSize < 1) return tiles
  const others = tiles.filter((tile) => tile !== speaker)
  return [...others.slice(0, pageSize - 1), speaker, ...others.slice(pageSize - 1)]
}
