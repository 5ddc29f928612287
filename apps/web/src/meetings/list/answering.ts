import { type BodyOf, type InvitationResponse, type ReplyOf, respondToMeeting } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { type ChangeHandlers, useChange } from '../../session/use-change.ts'
import { createStore, useStore } from '../../ui/hooks/create-store.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { meetingKeys } from '../meeting-keys.ts'

type GivenAnswer = { meetingId: string; topic: string; body: BodyOf<typeof respondToMeeting> }

/**
 * Answer one of several invitations or, with `occurrence`, one date of it. Apart from the other changes
 * (meeting-mutations.ts), because it is in the first load.
 */
export const useAnswerInvitation = (handlers: ChangeHandlers<ReplyOf<typeof respondToMeeting>, GivenAnswer>) =>
  useChange(
    {
      mutationFn: ({ meetingId, body }) => client.call(respondToMeeting, { params: { meetingId }, body }),
      refreshes: meetingKeys.all,
      afterRefusal: true,
    },
    handlers,
  )

/**
 * An answer is sent when its undo ends: an invitation that was answered cannot become an unanswered one again, and the
 * host is told of each answer.
 */
const undoMs = 6_000

type Waiting = { response: InvitationResponse; timer: ReturnType<typeof setTimeout>; send(): void }

/** The answers that wait or are being sent, by the id of the meeting. They outlive the page that asked for them. */
const waiting = createStore<ReadonlyMap<string, Waiting>>(new Map())

const put = (meetingId: string, answer: Waiting) => waiting.replace(new Map(waiting.read()).set(meetingId, answer))

function remove(meetingId: string) {
  const rest = new Map(waiting.read())
  rest.delete(meetingId)
  waiting.replace(rest)
}

/** Send at once what waits: the page may be closed. */
function sendAll() {
  if (document.visibilityState !== 'hidden') return
  for (const { timer, send } of waiting.read().values()) {
    clearTimeout(timer)
    send()
  }
}

type Invitation = { meetingId: string; topic: string }

/** Answers to invitations, each of which can be undone for some seconds. */
export function useAnswering() {
  const { t } = useTranslation('meetings')
  const words = useProblemWords()
  const answers = useStore(waiting)
  const { mutate } = useAnswerInvitation({
    onRefreshed: (_reply, { meetingId }) => remove(meetingId),
    onError: (error, { meetingId }) => {
      remove(meetingId)
      showToast({ message: words(error), kind: 'problem', about: meetingId })
    },
  })
  return {
    answerTo: (meetingId: string): InvitationResponse | undefined => answers.get(meetingId)?.response,
    answer({ meetingId, topic }: Invitation, response: InvitationResponse) {
      document.addEventListener('visibilitychange', sendAll)
      clearTimeout(waiting.read().get(meetingId)?.timer)
      const given: GivenAnswer = { meetingId, topic, body: { response } }
      let isSent = false
      const send = () => {
        if (isSent) return
        isSent = true
        mutate(given)
      }
      put(meetingId, { response, send, timer: setTimeout(send, undoMs) })
      showToast({
        message: t(`answering.given.${response}`, { topic }),
        about: meetingId,
        until: readClockMs() + undoMs,
        undo() {
          if (isSent) return
          clearTimeout(waiting.read().get(meetingId)?.timer)
          remove(meetingId)
        },
      })
    },
  }
}
