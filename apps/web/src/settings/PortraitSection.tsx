import { Alert, Button, FileButton, Group, Text } from '@mantine/core'
import { IconTrash, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchImage } from '../session/image-bytes.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { usePerson } from '../session/session.ts'
import { Portrait, portraitCount } from '../ui/Portrait.tsx'
import { showToast } from '../ui/toast.ts'
import { PhotoDialog } from './PhotoDialog.tsx'
import classes from './PortraitSection.module.css'
import { SettingsSection } from './SettingsPage.tsx'
import { subjectOfToasts, useChangePhoto, useSaveProfile } from './settings-mutations.ts'

/** A photograph of a camera; larger pictures may exhaust the memory of a phone. */
const maxPictureBytes = 30 * 1024 * 1024

/** The picture of the person: a photo, or initials on one of the backgrounds. */
export function PortraitSection() {
  const { t } = useTranslation('settings')
  const { avatar, name, lname, imageMeta } = usePerson()
  const photo = imageMeta.filePath
  return (
    <SettingsSection title={t('portrait.title')} explanation={t('portrait.explanation')}>
      <div className={classes.picture}>
        <div className={classes.large}>
          <Portrait number={avatar} name={name} lastName={lname} photo={photo} />
        </div>
        <PhotoField photo={photo} />
      </div>
      {photo === '' && <Backgrounds />}
    </SettingsSection>
  )
}

/** Choose, replace and remove the photo. */
function PhotoField({ photo }: { photo: string }) {
  const { t } = useTranslation('settings')
  const [picture, setPicture] = useState<ImageBitmap>()
  const [unreadable, setUnreadable] = useState(false)
  const change = useChangePhoto()
  const choose = async (file: File | null) => {
    if (file === null) return
    const readable = file.size <= maxPictureBytes
    const read = readable ? await createImageBitmap(file).catch(() => undefined) : undefined
    setUnreadable(read === undefined)
    setPicture(read)
  }
  const close = () => {
    picture?.close()
    setPicture(undefined)
  }
  /** Show the change, and offer the picture before it again. Without a connection, the change itself fails. */
  const save = async (image: string | null) => {
    const former = photo === '' ? null : await fetchImage(photo).catch(() => undefined)
    change.mutate(image, {
      onSuccess: () => {
        close()
        const message = t(image === null ? 'portrait.removed' : 'portrait.saved')
        showToast({
          about: subjectOfToasts,
          message,
          ...(former !== undefined && { undo: () => change.mutate(former) }),
        })
      },
    })
  }
  return (
    <div className={classes.photo}>
      {picture === undefined && <ProblemAlert error={change.error} />}
      {unreadable && (
        <Alert color="red" role="alert">
          {t('portrait.unreadable')}
        </Alert>
      )}
      <Group gap="xs">
        <FileButton accept="image/*" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconUpload size={18} aria-hidden />}
              loading={change.isPending}
            >
              {t(photo === '' ? 'portrait.upload' : 'portrait.replace')}
            </Button>
          )}
        </FileButton>
        {photo !== '' && (
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={18} aria-hidden />}
            disabled={change.isPending}
            onClick={() => void save(null)}
          >
            {t('portrait.remove')}
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('portrait.seenBy')}
      </Text>
      {picture !== undefined && (
        <PhotoDialog
          picture={picture}
          busy={change.isPending}
          error={change.error}
          onSave={(image) => void save(image)}
          onClose={() => {
            change.reset()
            close()
          }}
        />
      )}
    </div>
  )
}

/** The numbers of the backgrounds that can be chosen. */
const backgrounds = Array.from({ length: portraitCount }, (_, number) => number)

/** Choose the background of the initials. */
function Backgrounds() {
  const { t } = useTranslation('settings')
  const { avatar, name, lname } = usePerson()
  const { mutate, error } = useSaveProfile({ atOnce: true })
  return (
    <>
      <ProblemAlert error={error} />
      <fieldset className={classes.portraits} aria-label={t('portrait.background')}>
        {backgrounds.map((number) => (
          <label key={number} className={classes.choice}>
            <input
              type="radio"
              name="portrait"
              className="hidden"
              checked={avatar === number}
              onChange={() => mutate({ what: t('portrait.background'), changes: { avatar: number } })}
            />
            <span className="hidden">{t('portrait.number', { number: number + 1 })}</span>
            <Portrait number={number} name={name} lastName={lname} />
          </label>
        ))}
      </fieldset>
    </>
  )
}
