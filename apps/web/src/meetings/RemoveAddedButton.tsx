import { Button } from '@mantine/core'
import { addMeeting, removeAddedMeeting, type SingleMeetingReply } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useProblemWords } from '../session/problem-words.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { showToast } from '../ui/toast.ts'

/** Remove a meeting that was added by its link from the list. Its PIN adds it again. */
export function RemoveAddedButton({ meeting: { _id, svcMeetId, pin } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['meetings'] })
  const showError = (error: unknown) => showToast({ message: words(error), kind: 'problem' })
  const addAgain = () => client.call(addMeeting, { params: { svcMeetId }, body: { pin } }).then(refresh, showError)
  const removing = useMutation({
    mutationFn: () => client.call(removeAddedMeeting, { params: { meetingId: _id } }),
    onError: showError,
    onSuccess: async () => {
      await navigate({ to: '/meetings' })
      queryClient.removeQueries({ queryKey: ['meetings', 'one', _id] })
      await refresh()
      showToast({ message: t('removed'), undo: () => void addAgain() })
    },
  })
  return (
    <Button variant="default" loading={removing.isPending} onClick={() => removing.mutate()}>
      {t('remove')}
    </Button>
  )
}
