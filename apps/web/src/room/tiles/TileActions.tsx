import { Tooltip } from '@mantine/core'
import { IconPictureInPicture, IconPin, IconPinnedOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './TileActions.module.css'

type TileActionsProps = {
  name: string
  isPinned: boolean
  onPin(pin: boolean): void
  /** The video for picture-in-picture; absent when no video is shown large. */
  videoOf: (() => HTMLVideoElement | undefined) | undefined
}

/** Firefox shows its own picture-in-picture button on every video. */
const canTakeOut = (): boolean => document.pictureInPictureEnabled === true

/** Visible on hover and focus, and always on devices without hover. */
export function TileActions({ name, isPinned, onPin, videoOf }: TileActionsProps) {
  const { t } = useTranslation('room')
  return (
    <div className={classes.actions} data-pinned={isPinned}>
      {videoOf !== undefined && canTakeOut() && (
        <TileButton label={t('tile.pictureInPicture')} onClick={() => void takeOut(videoOf())}>
          <IconPictureInPicture size={18} aria-hidden />
        </TileButton>
      )}
      <TileButton label={t(isPinned ? 'tile.unpin' : 'tile.pin', { name })} onClick={() => onPin(!isPinned)}>
        {isPinned ? <IconPinnedOff size={18} aria-hidden /> : <IconPin size={18} aria-hidden />}
      </TileButton>
    </div>
  )
}

type TileButtonProps = { label: string; onClick(): void; children: ReactNode }

function TileButton({ label, onClick, children }: TileButtonProps) {
  return (
    <Tooltip label={label} openDelay={300} events={{ hover: true, focus: true, touch: false }}>
      <button type="button" className={classes.action} aria-label={label} onClick={onClick}>
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
