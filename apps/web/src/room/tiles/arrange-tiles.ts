import type { Participant } from '@parley/client/join'
import type { Spotlight } from '@parley/contract'

export type View = 'grid' | 'speaker'

export type Tile = { key: string; person: Participant; source: 'camera' | 'screen' }

/** The tiles outside the grid. */
type Featured = {
  /**
   * Shown large: a pinned tile, a screen, whom a host shows large to everyone, the only other participant, or the speaker
   * in speaker view.
   */
  main: Tile | undefined
  /** Further tiles that a host shows large to everyone, beside `main`. */
  more: readonly Tile[]
  /** What a host shows large to everyone and a screen or a pinned tile keeps small: first among the others. */
  ahead: readonly Tile[]
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
  spotlight: Spotlight
  /** The ids of the people who share a screen, the latest first. */
  shared: readonly string[]
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
  spotlight: Spotlight
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
 * Whose camera is not shown. Without video, the latest speaker, raised hands, a pinned person and people whom a host
 * shows large are shown as well, and everyone while no one has video.
 */
export function chooseHidden(options: HidingOptions): Hiding {
  const { people, pinned, spotlight, hidesSelf, hidesVideoless } = options
  const [last] = options.spoke
  const kept = new Set([last, ...spotlight.map(({ admissionId }) => admissionId)])
  const others = people.filter(({ isMe }) => !isMe)
  const videoless = others.filter(
    (person) =>
      person.camera === null && person.handPlace === null && !kept.has(person.id) && cameraOf(person).key !== pinned,
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

/**
 * A person's own pin comes before what a host shows large to everyone, and a shared screen before the cameras of that.
 * The latest shared screen is large in every view, except the caller's own, which would show itself.
 */
export function chooseFeatured(options: FeaturedOptions): Featured {
  const { people, view, spoke, pinned, hidden, spotlight, shared } = options
  const tiles = allTiles(people, hidden)
  const lit = spotlight.flatMap(({ admissionId, source }) => {
    return tiles.find((tile) => tile.person.id === admissionId && tile.source === source && !tile.person.isMe) ?? []
  })
  const screens = tiles.filter(isForeignScreen)
  const latest = shared.map((id) => screens.find(({ person }) => person.id === id)).find((tile) => tile !== undefined)
  const pin = tiles.find(({ key }) => key === pinned)
  const screen = lit.some(isForeignScreen) ? undefined : (latest ?? screens[0])
  const chosen = pin ?? screen
  if (chosen !== undefined) return { main: chosen, self: undefined, more: [], ahead: lit }
  const [first, ...more] = lit
  if (first !== undefined && (more.length > 0 || people.length > 2))
    return { main: first, self: undefined, more, ahead: [] }
  const others = people.filter(({ id, isMe }) => !isMe && !hidden.has(id))
  const [other] = others
  const me = people.find(({ id, isMe }) => isMe && !hidden.has(id))
  if (others.length <= 1) return { ...nothingMore, main: other && cameraOf(other), self: me && cameraOf(me) }
  const speaker = view === 'speaker' ? lastSpeaker(others, spoke) : undefined
  return { ...nothingMore, main: speaker && cameraOf(speaker), self: undefined }
}

const nothingMore = { more: [], ahead: [] }

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
  const apart = new Set([featured.main?.key, featured.self?.key, ...featured.more.map(({ key }) => key)])
  const ahead = new Set(featured.ahead.map(({ key }) => key))
  const tiles = allTiles(people, hidden).filter(({ key }) => !apart.has(key))
  const screens = tiles.filter(({ source }) => source === 'screen')
  const faces = tiles
    .filter(({ source }) => source === 'camera')
    .toSorted((a, b) => Number(ahead.has(b.key)) - Number(ahead.has(a.key)))
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
