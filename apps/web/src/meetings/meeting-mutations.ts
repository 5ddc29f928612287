import {
  addMeeting,
  answerHandOver,
  askForAnswers,
  type BodyOf,
  blockSender,
  cancelMeeting,
  changeOccurrence,
  chooseMeetingColour,
  createCalendarFeed,
  createMeeting,
  deleteCalendarFeed,
  dismissTimeProposal,
  type MeetingColour,
  type MeetingDefaults,
  type MeetingRequest,
  type ReplyOf,
  removeAddedMeeting,
  respondToMeeting,
  restoreMeeting,
  restoreOccurrence,
  splitMeeting,
  unblockSender,
  undoCancellation,
  undoOccurrenceChange,
  updateMeeting,
} from '@parley/contract'
import { client } from '../session/client.ts'
import { ownTimeZoneName } from '../session/own-time-zone.ts'
import { type Change, type ChangeHandlers, useChange } from '../session/use-change.ts'
import { readClockMs } from '../ui/hooks/use-now.ts'
import { randomKey } from '../ui/random-key.ts'
import type { HandOver } from './list/list-queries.ts'
import { meetingKeys } from './meeting-keys.ts'

/**
 * The changes of meetings, each with the queries that are refreshed after it. What no query shows, such as an email that
 * is sent again, is with its button.
 */

type Handlers<Data, Variables> = ChangeHandlers<Data, Variables>
type Refreshing = Partial<Pick<Change<unknown, unknown>, 'refreshes' | 'afterRefusal' | 'oneAfterAnother'>>

/** A change of meetings: it refreshes all queries of meetings, unless it names some. */
const useMeetingChange = <Data, Variables>(
  mutationFn: (variables: Variables) => Promise<Data>,
  handlers: Handlers<Data, Variables>,
  refreshing: Refreshing = {},
) => useChange({ mutationFn, refreshes: meetingKeys.all, ...refreshing }, handlers)

const alsoAfterRefusal = { afterRefusal: true }

/** Whether the participants are told. */
type SendUpdates = 'all' | 'none'

type NewMeeting = { body: MeetingRequest; sendUpdates: SendUpdates; idempotencyKey: string }
type CreatedMeeting = ReplyOf<typeof createMeeting>['meetingDetails']

const callCreateMeeting = async ({ body, sendUpdates, idempotencyKey }: NewMeeting) =>
  (await client.call(createMeeting, { body, query: { sendUpdates }, idempotencyKey })).meetingDetails

export const useCreateMeeting = (handlers: Handlers<CreatedMeeting, NewMeeting>) =>
  useMeetingChange(callCreateMeeting, handlers)

/** Long enough for most calls; people who are still inside stay inside. */
const startedMeetingMs = 60 * 60_000

/**
 * Create a meeting that begins now, when its host joins it (StartPage.tsx), with the options that the person's new
 * meetings begin with. It is never for invited people only, because it has no guests.
 */
export function startMeeting(topic: string, { advancedOptions }: MeetingDefaults): Promise<CreatedMeeting> {
  const nowMs = readClockMs()
  return callCreateMeeting({
    sendUpdates: 'none',
    idempotencyKey: randomKey(),
    body: {
      topic,
      description: '',
      startTime: new Date(nowMs).toISOString(),
      endTime: new Date(nowMs + startedMeetingMs).toISOString(),
      participants: [],
      isPinEnabled: true,
      advancedOptions: { ...advancedOptions, isRestrictedMeeting: false },
      repeatOptions: { repeat: 'none', timeZone: ownTimeZoneName() },
    },
  })
}

/** `ifMatch` is the version to change: the server refuses another one (412). */
type Update<Body> = { meetingId: string; body: Body; sendUpdates: SendUpdates; ifMatch: string }

type UpdateBody = BodyOf<typeof updateMeeting>

const callUpdateMeeting = ({ meetingId, body, sendUpdates, ifMatch }: Update<UpdateBody>) =>
  client.callForResponse(updateMeeting, { params: { meetingId }, body, query: { sendUpdates }, ifMatch })

export const useUpdateMeeting = (handlers: Handlers<ReplyOf<typeof updateMeeting>, Update<UpdateBody>>) =>
  useMeetingChange(async (update) => (await callUpdateMeeting(update)).reply, handlers)

type SplitBody = BodyOf<typeof splitMeeting>

const callSplitMeeting = ({ meetingId, body, sendUpdates, ifMatch }: Update<SplitBody>) =>
  client.callForResponse(splitMeeting, { params: { meetingId }, body, query: { sendUpdates }, ifMatch })

/** Change a date of a series and all that follow, which become a meeting of their own. */
export const useSplitMeeting = (handlers: Handlers<ReplyOf<typeof splitMeeting>, Update<SplitBody>>) =>
  useMeetingChange(async (update) => (await callSplitMeeting(update)).reply, handlers)

/** One date of a series. */
type DateOfSeries = { meetingId: string; originalStartTime: string }

const paramsOf = ({ meetingId, originalStartTime }: DateOfSeries) => ({ meetingId, originalStart: originalStartTime })

/** Without `ifMatch`, the date is changed in any version of its meeting. */
export type DateChange = DateOfSeries & {
  body: BodyOf<typeof changeOccurrence>
  sendUpdates?: SendUpdates
  ifMatch?: string
}

const callChangeOccurrence = ({ body, sendUpdates, ifMatch, ...date }: DateChange) =>
  client.callForResponse(changeOccurrence, {
    params: paramsOf(date),
    body,
    ...(sendUpdates !== undefined && { query: { sendUpdates } }),
    ...(ifMatch !== undefined && { ifMatch }),
  })

type DateHandlers<Variables> = Handlers<ReplyOf<typeof changeOccurrence>, Variables>

export const useChangeDate = <Variables extends DateChange>(handlers: DateHandlers<Variables>) =>
  useMeetingChange(async (change) => (await callChangeOccurrence(change)).reply, handlers, alsoAfterRefusal)

/** Give a changed date the times and texts of the series again. */
export const useUndoDateChange = <Variables extends DateOfSeries>(handlers: DateHandlers<Variables>) =>
  useMeetingChange((date) => client.call(undoOccurrenceChange, { params: paramsOf(date) }), handlers, alsoAfterRefusal)

/** What a move changes: one date, a meeting as a whole, or a date and all that follow. */
export type MoveChange =
  | { of: 'date'; body: BodyOf<typeof changeOccurrence> }
  | { of: 'meeting'; body: UpdateBody }
  | { of: 'following'; body: SplitBody }

export type Move = DateOfSeries & { change: MoveChange; sendUpdates: SendUpdates; ifMatch: string }

function callMove({ change, ...move }: Move): Promise<{ headers: Headers }> {
  switch (change.of) {
    case 'date':
      return callChangeOccurrence({ ...move, body: change.body })
    case 'meeting':
      return callUpdateMeeting({ ...move, body: change.body })
    case 'following':
      return callSplitMeeting({ ...move, body: change.body })
  }
}

/** Move a date of the calendar. The result is the version of the meeting after it. */
export const useMoveDate = <Variables>(toMove: (variables: Variables) => Move, handlers: Handlers<string, Variables>) =>
  useMeetingChange(
    async (variables) => (await callMove(toMove(variables))).headers.get('etag') ?? '',
    handlers,
    alsoAfterRefusal,
  )

export type Cancellation = {
  meetingId: string
  body: BodyOf<typeof cancelMeeting>
  sendUpdates: SendUpdates
  ifMatch: string
  idempotencyKey: string
}

/** Cancel a meeting or dates of it. Its emails wait while it can be undone. */
export const useCancelMeeting = <Variables extends Cancellation>(handlers: Handlers<unknown, Variables>) =>
  useMeetingChange(
    ({ meetingId, body, sendUpdates, ifMatch, idempotencyKey }) => {
      const query = { sendUpdates, undoable: true }
      return client.call(cancelMeeting, { params: { meetingId }, query, body, idempotencyKey, ifMatch })
    },
    handlers,
    alsoAfterRefusal,
  )

export const useUndoCancellation = <Variables extends { meetingId: string }>(
  handlers: Handlers<ReplyOf<typeof undoCancellation>, Variables>,
) =>
  useMeetingChange(
    ({ meetingId }) => client.call(undoCancellation, { params: { meetingId } }),
    handlers,
    alsoAfterRefusal,
  )

/** Let a cancelled meeting take place again, with its link and its answers. */
export const useRestoreMeeting = (handlers: Handlers<ReplyOf<typeof restoreMeeting>, { meetingId: string }>) =>
  useMeetingChange(
    ({ meetingId }) => client.call(restoreMeeting, { params: { meetingId } }),
    handlers,
    alsoAfterRefusal,
  )

type CancelledDate = DateOfSeries & { sendUpdates: SendUpdates }

/** Let a cancelled date take place again. */
export const useRestoreDate = (handlers: Handlers<ReplyOf<typeof restoreOccurrence>, CancelledDate>) =>
  useMeetingChange(
    ({ sendUpdates, ...date }) => client.call(restoreOccurrence, { params: paramsOf(date), query: { sendUpdates } }),
    handlers,
    alsoAfterRefusal,
  )

/** Answer an invitation or, with `occurrence`, one date of it. */
export const useRespond = (meetingId: string) =>
  useMeetingChange(
    (body: BodyOf<typeof respondToMeeting>) => client.call(respondToMeeting, { params: { meetingId }, body }),
    {},
    alsoAfterRefusal,
  )

/** Remind the participants who have not answered. Refreshed after a refusal: another host may have asked them. */
export const useAskForAnswers = (
  meetingId: string,
  handlers: Handlers<ReplyOf<typeof askForAnswers>, { idempotencyKey: string }>,
) =>
  useMeetingChange(
    ({ idempotencyKey }) => client.call(askForAnswers, { params: { meetingId }, idempotencyKey }),
    handlers,
    { refreshes: meetingKeys.one(meetingId), afterRefusal: true },
  )

export const useDismissTimeProposal = (meetingId: string) =>
  useMeetingChange(
    (proposalId: string) => client.call(dismissTimeProposal, { params: { meetingId, proposalId } }),
    {},
    { refreshes: meetingKeys.proposals(meetingId), afterRefusal: true },
  )

/** Choose the colour in which the reader sees a meeting. With the arrow keys, one choice follows another quickly. */
export const useChooseColour = (meetingId: string, handlers: Handlers<unknown, MeetingColour>) =>
  useMeetingChange(
    (colour: MeetingColour) => client.call(chooseMeetingColour, { params: { meetingId }, body: { colour } }),
    handlers,
    { oneAfterAnother: true },
  )

export type HandOverAnswer = { handOver: HandOver; answer: BodyOf<typeof answerHandOver>['answer'] }

export const useAnswerHandOver = (handlers: Handlers<unknown, HandOverAnswer>) =>
  useMeetingChange(
    ({ handOver: { meetingId }, answer }) => client.call(answerHandOver, { params: { meetingId }, body: { answer } }),
    handlers,
    // Everything: the meeting has another host, or is cancelled.
    { refreshes: [] },
  )

/** Block the host of a meeting. */
export const useBlockSender = (handlers: Handlers<ReplyOf<typeof blockSender>, { meetingId: string }>) =>
  useMeetingChange((body) => client.call(blockSender, { body }), handlers)

export const useUnblockSender = (handlers: Handlers<unknown, { userId: string }>) =>
  useMeetingChange((params) => client.call(unblockSender, { params }), handlers)

/** Add a meeting to the list, with the Meeting ID and PIN of its link. */
export const useAddMeeting = (handlers: Handlers<unknown, { svcMeetId: string; pin: string }>) =>
  useMeetingChange(({ svcMeetId, pin }) => client.call(addMeeting, { params: { svcMeetId }, body: { pin } }), handlers)

/** Remove a meeting from the list that was added by its link. */
export const useRemoveAddedMeeting = (handlers: Handlers<unknown, { meetingId: string }>) =>
  useMeetingChange((params) => client.call(removeAddedMeeting, { params }), handlers)

/** Make a private address of the calendar, in place of a former one. */
export const useCreateCalendarFeed = (handlers: Handlers<ReplyOf<typeof createCalendarFeed>, void>) =>
  useMeetingChange(() => client.call(createCalendarFeed), handlers, { refreshes: meetingKeys.feed })

/** Revoke the private address. Refreshed after a refusal: it may have been revoked in another window. */
export const useDeleteCalendarFeed = (handlers: Handlers<unknown, void>) =>
  useMeetingChange(() => client.call(deleteCalendarFeed), handlers, { refreshes: meetingKeys.feed, afterRefusal: true })
