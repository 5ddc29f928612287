import { Text } from '@mantine/core'
import type { Entering } from '@parley/contract'
import { useTranslation } from 'react-i18next'

type StartingNotesProps = { devices: Entering['devices']; role: Entering['role'] }

/** How the host's settings affect joining, and the role in which the person joins. */
export function StartingNotes({ devices, role }: StartingNotesProps) {
  const { t } = useTranslation('room')
  return (
    <>
      {(role === 'host' || role === 'cohost') && <Text>{t(`lobby.as.${role}`)}</Text>}
      {devices?.hardMuted === true && <Text>{t('lobby.hardMuted')}</Text>}
      {devices?.hardMuted === false && !devices.microphone && <Text>{t('lobby.muted')}</Text>}
      {devices?.camera === false && <Text>{t('lobby.noCamera')}</Text>}
    </>
  )
}
