import { Title } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { Participant } from '@parley/client/join'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../ui/CopyField.tsx'
import { useInvitation } from '../panels/use-invitation.ts'
import { useWaiting } from '../panels/use-waiting.ts'
import { allParticipants, useSnapshot } from '../room-context.ts'
import { ToolButton } from '../tools/ToolButton.tsx'
import { arrangeTiles, chooseFeatured, chooseHidden, type Tile } from './arrange-tiles.ts'
import { largeArea, planGrid, planStage } from './plan-stage.ts'
import classes from './Tiles.module.css'
import { type Pinning, TileView } from './TileView.tsx'
import type { ViewChoice } from './view-choice.ts'

type TilesProps = { choice: ViewChoice; onShowVideoless(): void; onStopSharing(): void }

/** As many tiles as fit, as large as possible, and pages for the rest. */
export function Tiles({ choice, onShowVideoless, onStopSharing }: TilesProps) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const snapshot = useSnapshot()
  const { spotlight } = snapshot
  const people = allParticipants(snapshot)
  const spoke = useRecentSpeakers(people)
  const [page, setPage] = useState(0)
  const [pinned, setPinned] = useState<string>()
  const { ref, width, height } = useElementSize()
  const [ratios, noteRatio] = usePictureRatios()
  const shared = useLatestScreens(people)
  const { hidden, videoless } = chooseHidden({ people, spoke, pinned, spotlight, ...choice })
  const featured = chooseFeatured({ people, view: choice.view, spoke, pinned, hidden, spotlight, shared })
  const { main, self, more } = featured
  const stage = planStage({ width, height }, main !== undefined, choice.maxTiles)
  const { pageSize } = stage
  const { others, pages, ...arranged } = arrangeTiles({ people, featured, hidden, spoke, page, pageSize })
  const tileProps = { pinning: { pinned, onPin: setPinned }, onStopSharing, onRatio: noteRatio }
  return (
    <div className={classes.stage}>
      <div
        ref={ref}
        className={classes.area}
        data-strip={main === undefined || others.length === 0 ? 'none' : stage.strip}
      >
        {main !== undefined && more.length > 0 && (
          <TileList
            label={t('call:stage.main')}
            tiles={[main, ...more]}
            ratios={ratios}
            area={largeArea({ width, height }, others.length === 0 ? undefined : stage)}
            {...tileProps}
          />
        )}
        {main !== undefined && more.length === 0 && (
          <ul className={classes.main} aria-label={t('call:stage.main')}>
            <TileView key={main.key} tile={main} large besideSelf={self !== undefined} {...tileProps} />
          </ul>
        )}
        {people.length === 1 && others.length === 0 && <Alone />}
        {others.length > 0 && (
          <TileList
            label={t('app:participants')}
            tiles={others}
            ratios={ratios}
            area={main === undefined ? { width, height } : stage.rest}
            {...tileProps}
          />
        )}
        {self !== undefined && (
          <ul className={classes.self} aria-label={t('you')}>
            <TileView key={self.key} tile={self} onStopSharing={onStopSharing} onRatio={noteRatio} />
          </ul>
        )}
      </div>
      <div className={classes.foot}>
        {videoless > 0 && (
          <p className={classes.hidden}>
            {t('call:layout.hidden', { count: videoless })}
            <button type="button" className={classes.show} onClick={onShowVideoless}>
              {t('call:layout.show')}
            </button>
          </p>
        )}
        {pages > 1 && (
          <nav className={classes.pages} aria-label={t('call:stage.pages')}>
            <ToolButton
              label={t('call:stage.before')}
              icon={<IconChevronLeft className={classes.chevron} aria-hidden />}
              disabled={arranged.page === 0}
              onClick={() => setPage(arranged.page - 1)}
            />
            <span role="status">{t('app:numberOf', { number: arranged.page + 1, total: pages })}</span>
            <ToolButton
              label={t('call:stage.after')}
              icon={<IconChevronRight className={classes.chevron} aria-hidden />}
              disabled={arranged.page === pages - 1}
              onClick={() => setPage(arranged.page + 1)}
            />
          </nav>
        )}
      </div>
    </div>
  )
}

type TileListProps = {
  label: string
  tiles: readonly Tile[]
  ratios: ReadonlyMap<string, number>
  area: { width: number; height: number }
  pinning: Pinning
  onStopSharing(): void
  onRatio(key: string, ratio: number): void
}

function TileList({ label, tiles, ratios, area, ...tileProps }: TileListProps) {
  const pictures = tiles.map(({ key, person, source }) => (person[source] === null ? undefined : ratios.get(key)))
  const { columns, tile } = planGrid(pictures, area)
  const sizes = { '--columns': columns, '--tile-width': `${tile.width}px`, '--tile-height': `${tile.height}px` }
  return (
    <ul className={classes.tiles} style={sizes as CSSProperties} aria-label={label}>
      {tiles.map((one) => (
        <TileView key={one.key} tile={one} {...tileProps} />
      ))}
    </ul>
  )
}

/** Shown while no other participant is present: how to invite people. */
function Alone() {
  const { t } = useTranslation(['room', 'call'])
  const { link, pin } = useInvitation()
  const { hostView, breakout } = useSnapshot()
  const waiting = useWaiting(hostView).length
  if (breakout !== null && breakout.room !== null)
    return (
      <div className={classes.alone}>
        <p className={classes.text}>{t('call:breakout.alone')}</p>
      </div>
    )
  return (
    <div className={classes.alone}>
      <Title order={2} size="h4">
        {waiting > 0 ? t('announcements.many.waiting', { count: waiting }) : t('call:alone.title')}
      </Title>
      <p className={classes.text}>{t('call:alone.text')}</p>
      <CopyField label={t('call:invite.link')} value={link} />
      {pin === undefined && <p className={classes.text}>{t('call:invite.noPin')}</p>}
    </div>
  )
}

/** The people who share a screen, the latest first. Those who shared before this page joined are in the order of joining. */
function useLatestScreens(people: readonly Participant[]): readonly string[] {
  const [shared, setShared] = useState<readonly string[]>([])
  const sharing = people.filter(({ screen }) => screen !== null).map(({ id }) => id)
  const begun = sharing.filter((id) => !shared.includes(id))
  if (begun.length === 0 && shared.every((id) => sharing.includes(id))) return shared
  const latest = [...begun, ...shared.filter((id) => sharing.includes(id))]
  setShared(latest)
  return latest
}

/** The ratios of the pictures that have been seen, by the keys of their tiles. */
function usePictureRatios() {
  const [ratios, setRatios] = useState<ReadonlyMap<string, number>>(new Map())
  const note = (key: string, ratio: number) =>
    setRatios((before) => (before.get(key) === ratio ? before : new Map(before).set(key, ratio)))
  return [ratios, note] as const
}

/** The tile that stands for the whole call: a shared screen, who speaks, the only other person, or the caller. */
export function useCallTile(): Tile | undefined {
  const snapshot = useSnapshot()
  const people = allParticipants(snapshot)
  const { main, self } = chooseFeatured({
    people,
    view: 'speaker',
    spoke: useRecentSpeakers(people),
    pinned: undefined,
    hidden: new Set(),
    spotlight: snapshot.spotlight,
    shared: useLatestScreens(people),
  })
  return main ?? self
}

/** Earlier speakers are dropped. */
const maxRemembered = 4

/** The recent speakers, latest first; a continuing speaker keeps the position. */
function useRecentSpeakers(people: readonly Participant[]): readonly string[] {
  const [spoke, setSpoke] = useState<readonly string[]>([])
  const speaking = people.filter((person) => person.speaking && !person.isMe).map(({ id }) => id)
  const [latest] = spoke
  // While the last speaker continues, others who join in do not take the position.
  if (speaking.length === 0 || (latest !== undefined && speaking.includes(latest))) return spoke
  const next = [...new Set([...speaking, ...spoke])].slice(0, maxRemembered)
  setSpoke(next)
  return next
}
