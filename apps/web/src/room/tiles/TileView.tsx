import { Tooltip } from '@mantine/core'
import type { Participant, RoomTrack } from '@parley/client/join'
import {
  IconHandStop,
  IconMicrophoneOff,
  IconPictureInPicture,
  IconPin,
  IconPinnedOff,
  IconVolume,
  IconWifi1,
  IconWifiOff,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  type CSSProperties,
  type Dispatch,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type SetStateAction,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../session/session.ts'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { GuestBadge } from '../GuestBadge.tsx'
import { useNameOf, useSnapshot } from '../room-context.ts'
import type { Tile } from './arrange-tiles.ts'
import { largeTileRatios } from './fit-video.ts'
import classes from './TileView.module.css'
import { VideoPlayer } from './VideoPlayer.tsx'
import { tapFactor, ZoomArea } from './ZoomArea.tsx'
import { notZoomed, type Point, pan, type Zoom, zoomAt } from './zoom.ts'

type SetZoom = Dispatch<SetStateAction<Zoom>>

export type Pinning = { pinned: string | undefined; onPin(key: string | undefined): void }

type TileViewProps = {
  tile: Tile
  large?: boolean
  /** A small tile in the corner of another one. */
  besideSelf?: boolean
  /** Absent when there is nothing to choose. */
  pinning?: Pinning
  onStopSharing(): void
  /** The ratio of the picture of the tile with this key is known, or has changed. */
  onRatio(key: string, ratio: number): void
}

/** One camera or screen with its person's state; everything shown by colour is also shown by shape. */
export function TileView({ tile, large = false, besideSelf = false, pinning, onStopSharing, onRatio }: TileViewProps) {
  const { person: seen, source } = tile
  const { t } = useTranslation(['room', 'call', 'app'])
  // A screen always shows its owner's name; a camera may show the name to screen readers only.
  const showsName = useQuery(sessionQuery).data?.participantName !== false || source === 'screen'
  const nameOf = useNameOf()
  const element = useRef<HTMLLIElement>(null)
  const person = seen.name === '' ? { ...seen, name: t('app:guest') } : seen
  // The badge beside it marks a guest's camera.
  const caption = source === 'screen' ? t('call:tile.screenOf', { name: nameOf(seen) }) : captionOf(person, t)
  const isOwnScreen = source === 'screen' && person.isMe
  const video = source === 'screen' ? person.screen : person.camera
  const speaks = source === 'camera' && person.speaking
  const [ratio, setRatio] = useState<number>()
  const [zoom, setZoom] = useState(notZoomed)
  const isZoomable = large && source === 'screen' && video !== null && !isOwnScreen
  const isShaped = video !== null && ratio !== undefined && zoom.scale === 1
  return (
    <li
      ref={element}
      className={classes.tile}
      style={isShaped ? shapeOf(ratio, source) : undefined}
      data-shaped={isShaped}
      data-portrait={video === null}
      data-source={source}
      data-large={large}
      data-beside-self={besideSelf}
      data-speaking={speaks}
      data-person={person.id}
    >
      {isOwnScreen ? (
        <SharedByMe screen={video} onStop={onStopSharing} />
      ) : video === null ? (
        <PersonPortrait name={person.name} />
      ) : (
        <Zoomable zoom={isZoomable ? zoom : undefined} onZoom={setZoom}>
          <VideoPlayer
            picture={video}
            whole={source === 'screen'}
            mirrored={person.isMe && source === 'camera'}
            label={t(source === 'screen' ? 'call:tile.screenOf' : 'call:tile.cameraOf', { name: person.name })}
            onRatio={(seen) => {
              setRatio(seen)
              onRatio(tile.key, seen)
            }}
          />
        </Zoomable>
      )}
      {video !== null && (source === 'screen' ? person.isScreenPaused : person.isVideoPaused) && (
        <div className={classes.paused}>
          <PersonPortrait name={person.name} />
          <span>{t('call:tile.paused')}</span>
        </div>
      )}
      {!isOwnScreen && (
        <div className={classes.caption}>
          {speaks && <IconVolume size={16} role="img" aria-label={t('call:tile.speaking')} />}
          {source === 'camera' && person.muted && (
            <IconMicrophoneOff size={16} role="img" aria-label={t('call:tile.muted')} />
          )}
          <span className={showsName ? classes.name : 'hidden'} dir="auto">
            {caption}
          </span>
          {source === 'camera' && (
            <span className={showsName ? classes.badge : 'hidden'}>
              <GuestBadge person={seen} />
            </span>
          )}
          {source === 'camera' && <QualityMark person={person} />}
        </div>
      )}
      {source === 'camera' && person.handPlace !== null && (
        <span className={classes.hand}>
          <IconHandStop size={16} aria-hidden />
          <span className="hidden">{t('call:tile.hand')}</span>
          {person.handPlace}
        </span>
      )}
      {pinning !== undefined && !isOwnScreen && (
        <TileActions
          name={caption}
          isPinned={pinning.pinned === tile.key}
          onPin={(pin) => pinning.onPin(pin ? tile.key : undefined)}
          zooming={isZoomable ? { zoom, onZoom: setZoom } : undefined}
          videoOf={large && video !== null ? () => element.current?.querySelector('video') ?? undefined : undefined}
        />
      )}
    </li>
  )
}

type ZoomableProps = { zoom: Zoom | undefined; onZoom: SetZoom; children: ReactNode }

const Zoomable = ({ zoom, onZoom, children }: ZoomableProps) =>
  zoom === undefined ? (
    children
  ) : (
    <ZoomArea zoom={zoom} onZoom={onZoom}>
      {children}
    </ZoomArea>
  )

/** The ratios that the tile may have, for Tiles.module.css. Nothing of a screen is cut off. */
function shapeOf(ratio: number, source: Tile['source']): CSSProperties {
  const { widest, narrowest } = source === 'screen' ? { widest: ratio, narrowest: ratio } : largeTileRatios(ratio)
  return { '--widest-ratio': widest, '--narrowest-ratio': narrowest } as CSSProperties
}

type SharedByMeProps = { screen: RoomTrack | null; onStop(): void }

/** The caller's own screen: small, because it may show itself, with the number of people who can see it. */
function SharedByMe({ screen, onStop }: SharedByMeProps) {
  const { t } = useTranslation(['room', 'call'])
  const count = useSnapshot().others.length
  return (
    <div className={classes.sharedByMe}>
      {screen !== null && (
        <span className={classes.preview}>
          <VideoPlayer picture={screen} label={t('call:tile.ownScreen')} whole mirrored={false} />
        </span>
      )}
      <span>
        <strong className={classes.sharing}>{t('call:tile.yourScreen')}</strong>
        {count === 0 ? t('call:tile.seenByNone') : t('call:tile.seenBy', { count })}
      </span>
      <button type="button" className={classes.stop} onClick={onStop}>
        {t('tools.stopSharing')}
      </button>
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<['room', 'call']>>['t']

function captionOf(person: Participant, t: Translate): string {
  const name = person.isMe ? t('call:tile.you', { name: person.name }) : person.name
  return person.role === 'participant' ? name : t(`call:tile.${person.role}`, { name })
}

/** A good connection has no icon. */
function QualityMark({ person: { quality } }: { person: Participant }) {
  const { t } = useTranslation(['room', 'call'])
  if (quality === 'poor') return <IconWifi1 size={16} role="img" aria-label={t('call:tile.quality.poor')} />
  if (quality === 'lost') return <IconWifiOff size={16} role="img" aria-label={t('call:tile.quality.lost')} />
  return null
}

type TileActionsProps = {
  name: string
  isPinned: boolean
  onPin(pin: boolean): void
  /** Absent where the picture cannot be enlarged. */
  zooming: { zoom: Zoom; onZoom: SetZoom } | undefined
  /** The video for picture-in-picture; absent when no video is shown large. */
  videoOf: (() => HTMLVideoElement | undefined) | undefined
}

/** Firefox shows its own picture-in-picture button on every video. */
const canTakeOut = (): boolean => document.pictureInPictureEnabled === true

/** Visible on hover and focus, and always on devices without hover. */
function TileActions({ name, isPinned, onPin, zooming, videoOf }: TileActionsProps) {
  const { t } = useTranslation(['room', 'call'])
  return (
    <div className={classes.actions} data-pinned={isPinned}>
      {zooming !== undefined && <ZoomButton {...zooming} />}
      {videoOf !== undefined && canTakeOut() && (
        <TileButton label={t('call:tile.pictureInPicture')} onClick={() => void takeOut(videoOf())}>
          <IconPictureInPicture size={18} aria-hidden />
        </TileButton>
      )}
      <TileButton label={t(isPinned ? 'call:tile.unpin' : 'call:tile.pin', { name })} onClick={() => onPin(!isPinned)}>
        {isPinned ? <IconPinnedOff size={18} aria-hidden /> : <IconPin size={18} aria-hidden />}
      </TileButton>
    </div>
  )
}

/** What an arrow key moves, in pixels. */
const arrowPixels = 60
const arrows: Record<string, Point> = {
  ArrowLeft: { x: arrowPixels, y: 0 },
  ArrowRight: { x: -arrowPixels, y: 0 },
  ArrowUp: { x: 0, y: arrowPixels },
  ArrowDown: { x: 0, y: -arrowPixels },
}

/** Enlarge a shared screen without a pinch (WCAG 2.2, 2.5.1), and move it with the arrow keys. */
function ZoomButton({ zoom, onZoom }: { zoom: Zoom; onZoom: SetZoom }) {
  const { t } = useTranslation(['room', 'call'])
  const isZoomed = zoom.scale > 1
  const sizeAt = ({ currentTarget }: { currentTarget: Element }) =>
    currentTarget.closest('li')?.getBoundingClientRect() ?? new DOMRect()
  const toggle = (event: MouseEvent) => {
    const size = sizeAt(event)
    onZoom((before) => (before.scale > 1 ? notZoomed : zoomAt(before, tapFactor, { x: 0, y: 0 }, size)))
  }
  const move = (event: KeyboardEvent) => {
    const by = arrows[event.key]
    if (!isZoomed || by === undefined) return
    event.preventDefault()
    const size = sizeAt(event)
    onZoom((before) => pan(before, by, size))
  }
  return (
    <TileButton label={t(isZoomed ? 'call:tile.zoomOut' : 'call:tile.zoomIn')} onClick={toggle} onKeyDown={move}>
      {isZoomed ? <IconZoomOut size={18} aria-hidden /> : <IconZoomIn size={18} aria-hidden />}
    </TileButton>
  )
}

type TileButtonProps = {
  label: string
  onClick(event: MouseEvent): void
  onKeyDown?(event: KeyboardEvent): void
  children: ReactNode
}

function TileButton({ label, onClick, onKeyDown, children }: TileButtonProps) {
  return (
    <Tooltip label={label} openDelay={300} events={{ hover: true, focus: true, touch: false }}>
      <button type="button" className={classes.action} aria-label={label} onClick={onClick} onKeyDown={onKeyDown}>
        {children}
      </button>
    </Tooltip>
  )
}

/** Toggle picture-in-picture. A browser that refuses leaves the video in the page. */
async function takeOut(video: HTMLVideoElement | undefined): Promise<void> {
  try {
    if (document.pictureInPictureElement !== null) await document.exitPictureInPicture()
    else await video?.requestPictureInPicture()
  } catch {
    // The video is still in the page.
  }
}
