import { Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { useSnapshot } from '../room-context.ts'
import type { RoomTools } from '../tools/use-room-tools.ts'

/** A host asks; whether one is heard stays one's own choice. What was answered before one came again is not asked anew. */
export function UnmuteRequest({ tools }: { tools: RoomTools }) {
  const { unmuteAskedOn } = useSnapshot()
  const [answered, setAnswered] = useSessionStorage({
    key: 'parley-unmute-answered',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const asked = unmuteAskedOn !== null && unmuteAskedOn !== answered
  const heardAlready = asked && tools.microphoneOn
  useEffect(() => {
    if (heardAlready) setAnswered(unmuteAskedOn)
  }, [heardAlready, unmuteAskedOn, setAnswered])
  if (!asked || heardAlready) return null
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
