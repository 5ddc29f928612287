import { Button, FileButton, Group, Loader, Stack, Switch, Text } from '@mantine/core'
import { IconBan, IconPhoto } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BackgroundName, backgroundNames, canReduceNoise, canReplaceBackground, pictures } from './background.ts'
import classes from './EffectFields.module.css'
import { findOwnImage, keepOwnImage, removeOwnImage } from './own-image.ts'
import { paintPicture } from './paint-picture.ts'

export type EffectFieldsProps = {
  background: BackgroundName
  /** The chosen background is being started. */
  busy: boolean
  onBackground(name: BackgroundName): void
  reducesNoise: boolean
  onNoise(on: boolean): void
}

/** What is done to the person's picture and sound: a choice of backgrounds, and noise reduction. */
export function EffectFields({ background, busy, onBackground, reducesNoise, onNoise }: EffectFieldsProps) {
  const { t } = useTranslation('room')
  const hasNoise = canReduceNoise()
  return (
    <Stack gap="md">
      {canReplaceBackground() ? (
        <BackgroundField value={background} busy={busy} onChange={onBackground} />
      ) : (
        <Text c="dimmed">{t('effects.unsupported')}</Text>
      )}
      <Switch
        label={t('effects.noise')}
        description={t(hasNoise ? 'effects.noiseHint' : 'effects.noiseUnsupported')}
        disabled={!hasNoise}
        checked={hasNoise && reducesNoise}
        onChange={({ currentTarget: { checked } }) => onNoise(checked)}
      />
    </Stack>
  )
}

type BackgroundFieldProps = { value: BackgroundName; busy: boolean; onChange(name: BackgroundName): void }

function BackgroundField({ value, busy, onChange }: BackgroundFieldProps) {
  const { t } = useTranslation('room')
  const [own, setOwn] = useState<Blob>()
  const [isUnreadable, setUnreadable] = useState(false)
  const clearFile = useRef<() => void>(null)
  useEffect(() => {
    let gone = false
    void findOwnImage().then((image) => !gone && setOwn(image))
    return () => {
      gone = true
    }
  }, [])
  const choose = async (file: File | null) => {
    // The same file can be chosen again.
    clearFile.current?.()
    if (file === null) return
    try {
      setOwn(await keepOwnImage(file))
      setUnreadable(false)
      onChange('own')
    } catch {
      setUnreadable(true)
    }
  }
  const remove = async () => {
    await removeOwnImage()
    setOwn(undefined)
    if (value === 'own') onChange('none')
  }
  const names = backgroundNames.filter((name) => name !== 'own' || own !== undefined)
  return (
    <fieldset className={classes.field} aria-busy={busy}>
      <legend className={classes.legend}>
        {t('effects.background')}
        {busy && <Loader size="xs" aria-hidden />}
      </legend>
      <div className={classes.choices}>
        {names.map((name) => (
          <label key={name} className={classes.choice}>
            <input
              type="radio"
              name="background"
              className={classes.radio}
              checked={value === name}
              onChange={() => onChange(name)}
            />
            <BackgroundPreview name={name} own={own} />
            <span className={classes.name}>{t(`effects.names.${name}`)}</span>
          </label>
        ))}
      </div>
      <Group gap="xs">
        <FileButton resetRef={clearFile} accept="image/*" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              type="button"
              size="compact-sm"
              variant="default"
              leftSection={<IconPhoto size={16} aria-hidden />}
            >
              {t(own === undefined ? 'effects.addImage' : 'effects.replaceImage')}
            </Button>
          )}
        </FileButton>
        {own !== undefined && (
          <Button type="button" size="compact-sm" variant="default" onClick={() => void remove()}>
            {t('effects.removeImage')}
          </Button>
        )}
      </Group>
      <div role="status">
        {isUnreadable && <Text className={classes.problem}>{t('effects.unreadable')}</Text>}
        {busy && <span className="hidden">{t('effects.starting')}</span>}
      </div>
      <Text size="sm" c="dimmed">
        {t('effects.hint')}
      </Text>
    </fieldset>
  )
}

/** Of 16:9, and sharp on screens of double density. */
const [previewWidth, previewHeight] = [160, 90]

function BackgroundPreview({ name, own }: { name: BackgroundName; own: Blob | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const picture = pictures.find((one) => one === name)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === undefined || context === null) return
    if (picture !== undefined) return paintPicture(context, picture, previewWidth, previewHeight)
    if (own === undefined) return
    let gone = false
    void createImageBitmap(own).then((image) => {
      const scale = Math.max(previewWidth / image.width, previewHeight / image.height)
      const [width, height] = [image.width * scale, image.height * scale]
      if (!gone) context.drawImage(image, (previewWidth - width) / 2, (previewHeight - height) / 2, width, height)
      image.close()
    })
    return () => {
      gone = true
    }
  }, [picture, own])
  if (name === 'none' || name === 'light' || name === 'strong') {
    return (
      <span className={classes.preview} data-look={name} aria-hidden>
        {name === 'none' ? <IconBan size={22} /> : <span className={classes.head} />}
      </span>
    )
  }
  return (
    <span className={classes.preview} aria-hidden>
      <canvas ref={canvas} className={classes.picture} width={previewWidth} height={previewHeight} />
    </span>
  )
}
