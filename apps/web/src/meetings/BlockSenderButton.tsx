import { Button, Text } from '@mantine/core'
import { blockSender, type SingleMeetingReply, unblockSender } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useProblemWords } from '../session/problem-words.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { showToast } from '../ui/toast.ts'
import { writeName } from './meeting-status.ts'

/** Block the host of an invitation, after saying what that does. */
export function BlockSenderButton({ meeting: { _id, hostInfo } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const name = writeName(hostInfo)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['meetings'] })
  const showError = (error: unknown) => showToast({ message: words(error), kind: 'problem' })
  const unblock = (userId: string) => client.call(unblockSender, { params: { userId } }).then(refresh, showError)
  const blocking = useMutation({
    mutationFn: () => client.call(blockSender, { body: { meetingId: _id } }),
    onSuccess: async ({ userId }) => {
      setConfirming(false)
      await navigate({ to: '/meetings' })
      await refresh()
      showToast({ message: t('block.done', { name }), undo: () => void unblock(userId) })
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        {t('block.open')}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        dangerous
        title={t('block.ask', { name })}
        confirm={t('block.confirm')}
        busy={blocking.isPending}
        onConfirm={() => blocking.mutate()}
        onClose={() => setConfirming(false)}
      >
        <ProblemAlert error={blocking.error} />
        <Text>{t('block.explanation', { name })}</Text>
      </ConfirmDialog>
    </>
  )
}
