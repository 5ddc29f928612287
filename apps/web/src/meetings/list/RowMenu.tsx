import { Menu } from '@mantine/core'
import { type InvitationResponse, invitationResponses } from '@parley/contract'
import {
  IconArrowBackUp,
  IconCheck,
  IconCopy,
  IconCopyPlus,
  IconPencil,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../../session/problem-words.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { mayRestore, useRestore } from '../use-restore.ts'
import { useAnswerInvitation } from './answering.ts'
import { useOpenOnMount } from './LazyMenu.tsx'
import type { AgendaDate } from './list-queries.ts'

const signs = { accepted: IconCheck, tentative: IconQuestionMark, declined: IconX }

type RowMenuProps = {
  date: AgendaDate
  /** Whether the date can be answered here. */
  answers: boolean
  onCopy(): void
  target: ReactElement
}

/** What can be done with one row of the list. */
export function RowMenu({ date, answers, onCopy, target }: RowMenuProps) {
  const { t } = useTranslation(['meetings', 'meeting', 'app'])
  const { meetingId, role, status } = date
  return (
    <Menu {...useOpenOnMount()} position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {answers && <AnswerItems date={date} />}
        {status !== 'cancelled' && (
          <Menu.Item leftSection={<IconCopy size={18} aria-hidden />} onClick={onCopy}>
            {t('row.copy')}
          </Menu.Item>
        )}
        {role !== 'participant' && status !== 'cancelled' && (
          <Menu.Item
            renderRoot={(props) => <Link to="/meetings/$meetingId/edit" params={{ meetingId }} {...props} />}
            leftSection={<IconPencil size={18} aria-hidden />}
          >
            {t('meeting:edit')}
          </Menu.Item>
        )}
        {role !== 'participant' && status === 'cancelled' && <RestoreItem date={date} />}
        {role === 'host' && (
          <Menu.Item
            renderRoot={(props) => <Link to="/meetings/new" search={{ copy: meetingId }} {...props} />}
            leftSection={<IconCopyPlus size={18} aria-hidden />}
          >
            {t('meeting:duplicate')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const clockEveryMs = 30_000

/** Let a cancelled meeting take place again with the same link. */
function RestoreItem({ date }: { date: AgendaDate }) {
  const { t } = useTranslation('occurrence')
  const restoring = useRestore()
  const now = useNow(clockEveryMs)
  if (!mayRestore(date, now)) return null
  return (
    <Menu.Item
      leftSection={<IconArrowBackUp size={18} aria-hidden />}
      onClick={() => restoring.mutate({ meetingId: date.meetingId })}
    >
      {t('restore')}
    </Menu.Item>
  )
}

/** Answer a date of a series, or a single meeting. */
function AnswerItems({
  date: { meetingId, topic, recur, originalStartTime, response: current },
}: {
  date: AgendaDate
}) {
  const { t } = useTranslation('meetings')
  const words = useProblemWords()
  const bodyOf = (response: InvitationResponse) => ({ response, ...(recur && { occurrence: originalStartTime }) })
  const { mutate } = useAnswerInvitation({
    onSaved: (_reply, { body: { response } }) =>
      showToast({
        message: t(`answering.given.${response}`, { topic }),
        about: meetingId,
        // An answer that was the first cannot be taken back, only changed.
        ...(current !== undefined && { undo: () => mutate({ meetingId, topic, body: bodyOf(current) }) }),
      }),
    onError: (error) => showToast({ message: words(error), kind: 'problem', about: meetingId }),
  })
  return (
    <>
      {invitationResponses.map((response) => {
        const Sign = signs[response]
        return (
          <Menu.Item
            key={response}
            leftSection={<Sign size={18} aria-hidden />}
            aria-current={response === current}
            disabled={response === current}
            onClick={() => mutate({ meetingId, topic, body: bodyOf(response) })}
          >
            {t(`answers.${response}`)}
          </Menu.Item>
        )
      })}
      <Menu.Divider />
    </>
  )
}
