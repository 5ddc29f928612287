import type { Executor } from '../platform/database/database.ts'
import { publish, topicOf } from '../platform/database/publish.ts'

/** What those in front of a room and in it listen to. An announcement holds nothing: whoever hears it looks. */
export const admissionTopic = (admissionId: string) => topicOf('admission', admissionId)
export const roomTopic = (meetingId: string) => topicOf('room', meetingId)
export const entryTopic = (meetingId: string) => topicOf('door', meetingId)

/** Something has changed for everybody: locked, unlocked, ended, cancelled, a host has come or left. */
export const publishRoomChange = (executor: Executor, meetingId: string) => publish(executor, roomTopic(meetingId))

/** Something has changed that hosts alone see: somebody asked, came in, left. */
export const publishEntryChange = (executor: Executor, meetingId: string) => publish(executor, entryTopic(meetingId))

/** Something has changed for these people, whom hosts see, too: let in, turned away, muted, made a cohost. */
export const publishAdmissionChange = (executor: Executor, meetingId: string, ...admissionIds: readonly string[]) =>
  publish(executor, entryTopic(meetingId), ...admissionIds.map(admissionTopic))
