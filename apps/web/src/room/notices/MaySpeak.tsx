import { Button, CloseButton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSnapshot, useVisited } from '../room-context.ts'
import type { RoomTools } from '../tools/use-room-tools.ts'
import { Notice } from './Notice.tsx'

/** Shown after the host has allowed a participant to speak, until they unmute. Lowers the raised hand. */
export function MaySpeak({ tools }: { tools: RoomTools }) {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const { hardMuted, role } = useSnapshot()
  const wasHardMuted = useRef(hardMuted)
  const [allowed, setAllowed] = useState(false)
  const { handUp, microphoneOn } = tools
  useEffect(() => {
    const isAllowedNow = wasHardMuted.current && !hardMuted && role === 'participant'
    wasHardMuted.current = hardMuted
    if (hardMuted) setAllowed(false)
    if (!isAllowedNow) return
    setAllowed(true)
    // Without a connection the message could not be sent.
    if (handUp) void room.raiseHand(false).catch(() => {})
  }, [hardMuted, role, handUp, room])
  return (
    <div role="status">
      {allowed && !microphoneOn && (
        <Notice
          tone="request"
          actions={
            <>
              <Button size="sm" onClick={() => tools.setMicrophone(true)}>
                {t('tools.unmute')}
              </Button>
              <CloseButton aria-label={t('app:close')} onClick={() => setAllowed(false)} />
            </>
          }
        >
          {t('banners.maySpeak')}
        </Notice>
      )}
    </div>
  )
}
