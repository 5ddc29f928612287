import { Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { useSnapshot } from '../room-context.ts'
import type { RoomTools } from '../tools/use-room-tools.ts'

/** A host asks; whether one is heard stays one's own choice. What was asked before one came is not asked again. */
export function UnmuteRequest({ tools }: { tools: RoomTools }) {
  const { unmuteAskedOn } = useSnapshot()
  const [answered, setAnswered] = useState(unmuteAskedOn)
  if (unmuteAskedOn === null || unmuteAskedOn === answered || tools.microphoneOn) return null
  return <UnmuteDialog tools={tools} onClose={() => setAnswered(unmuteAskedOn)} />
}

function UnmuteDialog({ tools, onClose }: { tools: RoomTools; onClose(): void }) {
  const { t } = useTranslation('room')
  useReturnFocus()
  const unmute = () => {
    tools.setMicrophone(true)
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      title={t('unmute.title')}
      confirm={t('unmute.confirm')}
      cancel={t('unmute.stay')}
      onConfirm={unmute}
      onClose={onClose}
    >
      <Text>{t('unmute.text')}</Text>
    </ConfirmDialog>
  )
}
