import { Button } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSnapshot } from '../room-context.ts'
import type { RoomTools } from '../tools/use-room-tools.ts'
import { Notice } from './Notice.tsx'

/**
 * A host's request to unmute. It is not a dialog: taking the focus would turn a key of a chat message into the answer.
 * Answered requests are not shown again after a reload.
 */
export function UnmuteRequest({ tools }: { tools: RoomTools }) {
  const { t } = useTranslation('room')
  const { unmuteAskedOn } = useSnapshot()
  const [answered, setAnswered] = useSessionStorage({
    key: 'parley-unmute-answered',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const isRequested = unmuteAskedOn !== null && unmuteAskedOn !== answered
  const unmutedAlready = isRequested && tools.microphoneOn
  useEffect(() => {
    if (unmutedAlready) setAnswered(unmuteAskedOn)
  }, [unmutedAlready, unmuteAskedOn, setAnswered])
  const answer = (unmute: boolean) => {
    if (unmute) tools.setMicrophone(true)
    setAnswered(unmuteAskedOn ?? '')
  }
  return (
    <div role="status">
      {isRequested && !unmutedAlready && (
        <Notice
          tone="request"
          actions={
            <>
              <Button size="sm" onClick={() => answer(true)}>
                {t('unmute.confirm')}
              </Button>
              <Button size="sm" variant="default" onClick={() => answer(false)}>
                {t('unmute.stay')}
              </Button>
            </>
          }
        >
          {t('unmute.title')}
        </Notice>
      )}
    </div>
  )
}
