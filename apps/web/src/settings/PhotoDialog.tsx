import { Button, Group } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { Modal } from '../ui/Modal.tsx'
import classes from './PhotoDialog.module.css'
import {
  encodePhoto,
  maxZoom,
  movedBy,
  photoPixels,
  renderPhoto,
  squareOf,
  wholePicture,
  withinPicture,
} from './photo-crop.ts'

type PhotoDialogProps = {
  picture: ImageBitmap
  busy: boolean
  error: Error | null
  /** Called with a square image in base64. */
  onSave(image: string): void
  onClose(): void
}

const arrows: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** How far an arrow key moves, as a part of the shown square. */
const step = 0.05

/** Choose the square of a picture that becomes the photo, by dragging or by arrow keys. */
export function PhotoDialog({ picture, busy, error, onSave, onClose }: PhotoDialogProps) {
  const { t } = useTranslation(['settings', 'app'])
  useReturnFocus()
  const canvas = useRef<HTMLCanvasElement>(null)
  return (
    <Modal opened onClose={onClose} title={t('portrait.crop')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <CropFields picture={picture} canvas={canvas} />
      <ProblemAlert error={error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t('app:cancel')}
        </Button>
        <Button
          loading={busy}
          onClick={async () => canvas.current !== null && onSave(await encodePhoto(canvas.current))}
        >
          {t('portrait.save')}
        </Button>
      </Group>
    </Modal>
  )
}

type CropFieldsProps = { picture: ImageBitmap; canvas: RefObject<HTMLCanvasElement | null> }

/** A component of its own, because the dialog mounts its content later than itself. */
function CropFields({ picture, canvas }: CropFieldsProps) {
  const { t } = useTranslation('settings')
  const [crop, setCrop] = useState(() => withinPicture(wholePicture, picture))
  const zoomId = useId()
  const hintId = useId()
  useEffect(() => {
    if (canvas.current !== null) renderPhoto(canvas.current, picture, squareOf(crop, picture))
  }, [crop, picture, canvas])
  const move = (right: number, down: number) => setCrop((shown) => movedBy(shown, right, down, picture))
  const drag = ({ buttons, movementX, movementY, currentTarget }: PointerEvent) => {
    if (buttons === 1) move(-movementX / currentTarget.clientWidth, -movementY / currentTarget.clientHeight)
  }
  const press = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (arrow === undefined) return
    event.preventDefault()
    move(arrow[0] * step, arrow[1] * step)
  }
  return (
    <div className={classes.crop}>
      <canvas
        ref={canvas}
        className={classes.picture}
        width={photoPixels}
        height={photoPixels}
        role="img"
        aria-label={t('portrait.preview')}
        aria-describedby={hintId}
        tabIndex={0}
        data-autofocus
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={drag}
        onKeyDown={press}
      />
      <span id={hintId} className={classes.hint}>
        {t('portrait.moveHint')}
      </span>
      <label className={classes.zoom} htmlFor={zoomId}>
        {t('portrait.zoom')}
        <input
          id={zoomId}
          type="range"
          min={1}
          max={maxZoom}
          step={0.05}
          value={crop.zoom}
          onChange={({ currentTarget: { valueAsNumber } }) =>
            setCrop((shown) => withinPicture({ ...shown, zoom: valueAsNumber }, picture))
          }
        />
      </label>
    </div>
  )
}
