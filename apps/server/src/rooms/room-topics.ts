import type { Executor } from '../platform/database/database.ts'
import { publish, topicOf } from '../platform/database/topics.ts'

/**
 * Topics for people who wait for a room or are inside. A notification has no content: subscribers read the database
 * again.
 */
export const admissionTopic = (admissionId: string) => topicOf('admission', admissionId)
export const roomTopic = (meetingId: string) => topicOf('room', meetingId)
export const waitingRoomTopic = (meetingId: string) => topicOf('waiting-room', meetingId)

/** Notify everyone of the room: it was locked, unlocked, ended or cancelled, or a host joined or left. */
export const publishRoomChange = (executor: Executor, meetingId: string) => publish(executor, roomTopic(meetingId))

/** Notify the hosts: a person asked to enter, entered or left. */
export const publishWaitingRoomChange = (executor: Executor, meetingId: string) =>
  publish(executor, waitingRoomTopic(meetingId))

/** Notify these people and the hosts: the people were admitted, denied, muted or made cohosts. */
export const publishAdmissionChange = (executor: Executor, meetingId: string, ...admissionIds: readonly string[]) =>
  publish(executor, waitingRoomTopic(meetingId), ...admissionIds.map(admissionTopic))
