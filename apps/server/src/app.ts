import { endpoints } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Tables } from '../migrations/tables.ts'
import { serveIcon } from './about/icon.ts'
import { serveListTimeZones } from './about/list-time-zones.ts'
import { serveOpenapi } from './about/openapi.ts'
import { serveReadDatabaseHealth } from './about/read-database-health.ts'
import { serveReadHealth } from './about/read-health.ts'
import { serveReadProblem } from './about/read-problem.ts'
import { serveReadReadiness } from './about/read-readiness.ts'
import { serveReadVersion } from './about/read-version.ts'
import { serveReference } from './about/reference.ts'
import { createAuthenticate } from './access/authenticate.ts'
import { createGuestCookie } from './access/guest-cookie.ts'
import { createAnswerOnce, forgetOldAnswers } from './access/idempotency.ts'
import { createLastUse } from './access/last-use.ts'
import { createIsLocalRequest } from './access/local-request.ts'
import { createServe } from './access/serve.ts'
import type { Service } from './access/service.ts'
import { createStreams } from './access/streams.ts'
import { serveDeleteAccount } from './account-data/delete-account.ts'
import { serveDeleteOwnAccount } from './account-data/delete-own-account.ts'
import { createEraseAccountsTask, eraseAccountsTask } from './account-data/erase-accounts-job.ts'
import { serveExportOwnData } from './account-data/export-own-data.ts'
import { createAccountsService } from './accounts/accounts-service.ts'
import { serveAddPasskey } from './accounts/add-passkey.ts'
import { serveChangePassword } from './accounts/change-password.ts'
import { serveCreatePersonalToken } from './accounts/create-personal-token.ts'
import { serveDeletePasskey } from './accounts/delete-passkey.ts'
import { serveDeletePersonalToken } from './accounts/delete-personal-token.ts'
import { serveEndOtherSessions } from './accounts/end-other-sessions.ts'
import { serveEndSession } from './accounts/end-session.ts'
import { serveExportAuditLog } from './accounts/export-audit-log.ts'
import { forgetExpired } from './accounts/forget-expired.ts'
import { serveInviteAccount } from './accounts/invite-account.ts'
import { createLinkMailTask, linkMailTask } from './accounts/link-mail-job.ts'
import { serveListAccounts } from './accounts/list-accounts.ts'
import { serveListAuditLog } from './accounts/list-audit-log.ts'
import { serveListPasskeys } from './accounts/list-passkeys.ts'
import { serveListPersonalTokens } from './accounts/list-personal-tokens.ts'
import { serveListSecurityLog } from './accounts/list-security-log.ts'
import { serveListSessions } from './accounts/list-sessions.ts'
import { serveDeclineOauthRequest } from './accounts/oauth-requests/decline-oauth-request.ts'
import { serveListOauthRequests } from './accounts/oauth-requests/list-oauth-requests.ts'
import { servePreparePasskey } from './accounts/prepare-passkey.ts'
import { servePreparePasskeySignIn } from './accounts/prepare-passkey-sign-in.ts'
import { serveReadProfile } from './accounts/read-profile.ts'
import { serveReadService } from './accounts/read-service.ts'
import { serveReadSession } from './accounts/read-session.ts'
import { serveRenamePasskey } from './accounts/rename-passkey.ts'
import { serveResetPassword } from './accounts/reset-password.ts'
import type { FirstAccountPolicy } from './accounts/set-up/first-account.ts'
import { serveSignIn } from './accounts/sign-in.ts'
import { serveSignInWithPasskey } from './accounts/sign-in-with-passkey.ts'
import { serveSignOut } from './accounts/sign-out.ts'
import { serveSignUp } from './accounts/sign-up.ts'
import { serveUpdateAccount } from './accounts/update-account.ts'
import { serveUpdateProfile } from './accounts/update-profile.ts'
import { serveVerifyEmail } from './accounts/verify-email.ts'
import { serveListAdministeredApps } from './apps/administration/list-administered-apps.ts'
import { serveReadAdministeredApp } from './apps/administration/read-administered-app.ts'
import { createFindAppExamples } from './apps/app-examples.ts'
import { createAppsService, type PageChecks } from './apps/apps-service.ts'
import { serveCreateSecret } from './apps/create-secret.ts'
import { serveDecideReview } from './apps/decide-review.ts'
import { serveDeleteApp } from './apps/delete-app.ts'
import { serveEditApp } from './apps/edit-app.ts'
import { forgetAppEvents } from './apps/forget-app-events.ts'
import { serveListAppEvents } from './apps/list-app-events.ts'
import { serveListApps } from './apps/list-apps.ts'
import { serveListReviews } from './apps/list-reviews.ts'
import { serveListSecrets } from './apps/list-secrets.ts'
import { serveListTesters } from './apps/list-testers.ts'
import { serveListUseCases } from './apps/list-use-cases.ts'
import { serveReadApp } from './apps/read-app.ts'
import { serveReadOauthAccess } from './apps/read-oauth-access.ts'
import { serveReadReview } from './apps/read-review.ts'
import { refreshNameKeys, refreshNameKeysTask } from './apps/refresh-name-keys.ts'
import { serveReplaceTesters } from './apps/replace-testers.ts'
import { serveRequestOauthAccess } from './apps/request-oauth-access.ts'
import { serveResubmitApp } from './apps/resubmit-app.ts'
import { serveResumeApp } from './apps/resume-app.ts'
import { serveRetireSecret } from './apps/retire-secret.ts'
import { serveSubmitApp } from './apps/submit-app.ts'
import { serveSuspendApp } from './apps/suspend-app.ts'
import { deleteRemovedTesters } from './apps/tester-store.ts'
import { serveAnswerTesterInvitation } from './apps/testers/answer-tester-invitation.ts'
import { serveListTesterInvitations } from './apps/testers/list-tester-invitations.ts'
import { serveProblemPages } from './docs/problem-pages.ts'
import { serveDocs } from './docs/serve-docs.ts'
import { serveCalendarFeed } from './invitations/calendar-feed.ts'
import { createDeliveryTask } from './invitations/delivery/deliver-to-guest.ts'
import { forgetOldMails } from './invitations/delivery/forget-mails.ts'
import { createFormerLetterTask, formerLetterTask } from './invitations/delivery/former-letters.ts'
import { serveReadCalendar } from './invitations/read-calendar.ts'
import { serveReadInvite } from './invitations/read-invite.ts'
import { createRemindTask, remindTask } from './invitations/remind.ts'
import { serveReminderStop } from './invitations/reminder-stop/serve-reminder-stop.ts'
import { serveResendInvitation } from './invitations/resend-invitation.ts'
import { serveRespondToMeeting } from './invitations/respond-to-meeting.ts'
import { serveAnswers } from './invitations/serve-answers.ts'
import type { Mailer } from './mail/mail.ts'
import { createSendMailTask, sendMailTask } from './mail/mail-job.ts'
import { bindSecretsTask, createBindSecretsTask } from './meetings/bind-meeting-secrets.ts'
import { serveCancelMeeting } from './meetings/cancel-meeting.ts'
import { serveCreateMeeting } from './meetings/create-meeting.ts'
import { deliveryTask } from './meetings/guest-delivery.ts'
import { serveListCalendar } from './meetings/list-calendar.ts'
import { serveListMeetings } from './meetings/list-meetings.ts'
import { serveListOccurrences } from './meetings/list-occurrences.ts'
import { servePreviewMeeting } from './meetings/preview-meeting.ts'
import { serveReadMeeting } from './meetings/read-meeting.ts'
import { serveRemoveAddedMeeting } from './meetings/remove-added-meeting.ts'
import { createRenewHostSecrets } from './meetings/renew-host-secrets.ts'
import { serveUpdateMeeting } from './meetings/update-meeting.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { observeDatabase } from './metrics/observe-database.ts'
import { observeQueuedJobs, observeTasks } from './metrics/observe-jobs.ts'
import { observeMailer } from './metrics/observe-mailer.ts'
import { observeRequests } from './metrics/observe-requests.ts'
import { observeRooms } from './metrics/observe-rooms.ts'
import { createApiRefusalLog } from './oauth/api-refusal-log.ts'
import { forgetOldRequests } from './oauth/authorization-request-store.ts'
import { endGrantsOfAccount } from './oauth/end-grants-of-account.ts'
import { forgetExpiredTokens } from './oauth/forget-expired.ts'
import { servePages } from './oauth/serve-pages.ts'
import { serveTokens } from './oauth/serve-tokens.ts'
import { createAnnouncements } from './platform/announcements.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { createDatabaseFailureLog } from './platform/database/database-failure-log.ts'
import { createDatabase } from './platform/database.ts'
import { createHttp, refuseOtherMethods } from './platform/http.ts'
import type { TaskOfJob } from './platform/jobs.ts'
import type { Random } from './platform/random.ts'
import { createSealedBox } from './platform/sealed-box.ts'
import { serveProvider } from './provider/serve-provider.ts'
import { forgetOldSignIns } from './provider/sign-in-store.ts'
import { serveAddMeeting } from './rooms/add-meeting.ts'
import { forgetOldAdmissions } from './rooms/admission-store.ts'
import { serveAdmitAll } from './rooms/admit-all.ts'
import { serveAskNewGuests } from './rooms/ask-new-guests.ts'
import { serveControlParticipant } from './rooms/control-participant.ts'
import { serveDecideAdmission } from './rooms/decide-admission.ts'
import { createDetachAdmissions } from './rooms/detach-admissions.ts'
import { serveEndRoom } from './rooms/end-room.ts'
import { serveEnterRoom } from './rooms/enter-room.ts'
import { serveExportAttendance } from './rooms/export-attendance.ts'
import { forgetOldHistory } from './rooms/forget-history.ts'
import { serveListAttendance } from './rooms/list-attendance.ts'
import { serveLockRoom } from './rooms/lock-room.ts'
import type { MediaAccess } from './rooms/media-access.ts'
import { type MediaEngine, mediaUrlOf } from './rooms/media-engine.ts'
import { isMediaUpgrade } from './rooms/media-proxy.ts'
import { serveMuteAll } from './rooms/mute-all.ts'
import { createPresence, type PresenceTimes } from './rooms/presence.ts'
import { createRoomReads } from './rooms/room-reads.ts'
import type { RoomsService } from './rooms/rooms-service.ts'
import { serveMedia } from './rooms/serve-media.ts'
import { serveWatchAdmission } from './rooms/watch-admission.ts'
import { serveWatchRoom } from './rooms/watch-room.ts'
import type { Site } from './site/read-site.ts'
import { createShowNotFound, serveSite } from './site/serve-site.ts'

const forgetTask = 'forget-expired'

export type World = {
  config: Config
  secretKey: Buffer
  pool: Pool
  clock: Clock
  random: Random
  log: Logger
  version: string
  /** Looks at the pages of a submitted app; the guarded fetch when absent. */
  checkPages?: PageChecks
  mailer: Mailer
  /** The built pages; absent where there are none, and the API is all there is. */
  site?: Site
  /** Who may make the first account, the administrator's. */
  firstAccountPolicy: FirstAccountPolicy
  /**
   * Where admitted people get the right to sound and pictures. `engine`: LiveKit or the embedded one, as it is configured;
   * absent: nowhere, and they are admitted all the same.
   */
  media?: 'engine' | MediaAccess
  /** How often streams look by themselves; every 15 to 30 s when absent. */
  lookEveryMs?: number
  /** What Prometheus is told; absent: nothing is counted. */
  metrics?: Metrics
  /** When it is noted who waits at a door; as usual when absent. */
  presenceTimes?: PresenceTimes
}

export type App = {
  http: FastifyInstance
  /** What carries sound and pictures; absent where nothing does. */
  engine: MediaEngine | undefined
  /** What the database queues and this process does. */
  tasks: Record<string, TaskOfJob>
  /** The same, for what waits for a mail server. */
  mailTasks: Record<string, TaskOfJob>
  /** Names of tasks that run each hour, and each minute. */
  hourly: readonly string[]
  minutely: readonly string[]
  /** The same, of tasks that run once when the service starts. */
  atStart: readonly string[]
  /** What the operator is shown while there is no account; undefined once there is one. */
  setUpCode(): Promise<string | undefined>
  /** From here on `/readyz` says no, every answer asks its connection to close, and streams have ended. */
  drain(): void
  /** Ends the calls that go through this process; who is in one connects again, elsewhere or later. */
  endCalls(): Promise<void>
  /** Lets what is under way finish, and ends what the app keeps going; the pool is its owner's to end. */
  close(): Promise<void>
}

/** Everything that Parley answers and does, listed. */
export function createApp(world: World): App {
  const { config, secretKey, pool, clock, random, log, version, metrics, checkPages, site, media, lookEveryMs } = world
  const { baseUrl, emailVerification, retention } = config
  let draining = false
  const databaseFailures = createDatabaseFailureLog(log)
  const http = createHttp({
    baseUrl,
    trustProxy: config.trustProxy,
    clock,
    random,
    log,
    databaseFailures,
    isStopping: () => draining,
    ...(media === 'engine' && config.livekit === undefined && { isUpgrade: isMediaUpgrade }),
    ...(site && { showNotFound: createShowNotFound(site, { random, mediaUrl: mediaUrlOf(config) }) }),
  })
  http.addHook('onSend', (_request, reply, payload, next) => {
    if (draining) reply.header('connection', 'close')
    next(null, payload)
  })

  const mailer = metrics === undefined ? world.mailer : observeMailer(metrics, world.mailer)
  const database = createDatabase<Tables>(pool)
  const sealedBox = createSealedBox(secretKey)
  const lastUse = createLastUse({ database, clock, log })
  const apiRefusalLog = createApiRefusalLog({ database, clock, random, log })
  const noteAppRefusal = apiRefusalLog.note
  const authenticate = createAuthenticate({
    ...{ database, clock, lastUse, baseUrl, emailVerification, noteAppRefusal },
  })
  const guestCookie = createGuestCookie({ baseUrl, random })
  const answerOnce = createAnswerOnce({ database, clock, sealedBox })
  const announcements = createAnnouncements({ pool, log })
  const streams = createStreams({
    announcements,
    clock,
    random,
    log,
    databaseFailures,
    ...(lookEveryMs !== undefined && { lookEveryMs }),
  })
  const isLocalRequest = createIsLocalRequest(config)
  const serve = createServe({
    ...{ http, database, authenticate, answerOnce, streams, guestCookie, baseUrl, isLocalRequest, noteAppRefusal },
  })
  const service: Service = { serve, database, clock, random, sealedBox, config, databaseFailures }

  const { firstAccountPolicy } = world
  const accessEndings = [endGrantsOfAccount, createRenewHostSecrets(service), createDetachAdmissions(service)]
  const accounts = createAccountsService(service, { pool, firstAccountPolicy, isLocalRequest, accessEndings })
  serveSignUp(accounts)
  serveSignIn(accounts)
  serveSignOut(accounts)
  serveListSessions(accounts)
  serveEndSession(accounts)
  serveEndOtherSessions(accounts)
  serveChangePassword(accounts)
  serveResetPassword(accounts)
  serveVerifyEmail(accounts)
  servePreparePasskeySignIn(accounts)
  serveSignInWithPasskey(accounts)
  serveListPasskeys(accounts)
  servePreparePasskey(accounts)
  serveAddPasskey(accounts)
  serveRenamePasskey(accounts)
  serveDeletePasskey(accounts)
  serveListPersonalTokens(accounts)
  serveCreatePersonalToken(accounts)
  serveDeletePersonalToken(accounts)
  serveListSecurityLog(accounts)
  serveReadService(accounts)
  serveReadProfile(accounts)
  serveReadSession(accounts)
  serveUpdateProfile(accounts)
  serveListAccounts(accounts)
  serveUpdateAccount(accounts)
  serveInviteAccount(accounts)
  serveListOauthRequests(accounts)
  serveDeclineOauthRequest(accounts)
  serveListAuditLog(accounts)
  serveExportAuditLog(accounts)
  serveExportOwnData(accounts)
  serveDeleteOwnAccount(accounts)
  serveDeleteAccount(accounts)

  serveCreateMeeting(service)
  serveUpdateMeeting(service)
  serveReadMeeting(service)
  serveListOccurrences(service)
  serveCancelMeeting(service)
  serveListMeetings(service)
  serveListCalendar(service)
  servePreviewMeeting(service)
  serveReadInvite(service)
  serveReadCalendar(service)
  serveCalendarFeed(service)
  serveRespondToMeeting(service)
  serveResendInvitation(service)
  serveRemoveAddedMeeting(service)

  const carried = media === 'engine' ? serveMedia(service, { http, pool, log }) : undefined
  const mediaAccess = media === 'engine' ? carried?.access : media
  const presence = createPresence({ database, clock, log, ...(world.presenceTimes && { times: world.presenceTimes }) })
  const rooms: RoomsService = {
    ...accounts,
    guestCookie,
    reads: createRoomReads(database),
    presence,
    ...(mediaAccess && { media: mediaAccess }),
    ...(carried && { control: carried.control }),
  }
  serveEnterRoom(rooms)
  serveWatchAdmission(rooms)
  serveWatchRoom(rooms)
  serveDecideAdmission(rooms)
  serveAdmitAll(rooms)
  serveControlParticipant(rooms)
  serveLockRoom(rooms)
  serveAskNewGuests(rooms)
  serveMuteAll(rooms)
  serveEndRoom(rooms)
  serveAddMeeting(accounts)
  serveListAttendance(service)
  serveExportAttendance(service)

  const apps = createAppsService(service, checkPages)
  serveRequestOauthAccess(apps)
  serveReadOauthAccess(apps)
  serveListApps(apps)
  serveSubmitApp(apps)
  serveReadApp(apps)
  serveEditApp(apps)
  serveDeleteApp(apps)
  serveResubmitApp(apps)
  serveListSecrets(apps)
  serveCreateSecret(apps)
  serveRetireSecret(apps)
  serveListAppEvents(apps)
  serveListTesters(apps)
  serveReplaceTesters(apps)
  serveListTesterInvitations(apps)
  serveAnswerTesterInvitation(apps)
  serveListUseCases(apps)
  serveListReviews(apps)
  serveReadReview(apps)
  serveDecideReview(apps)
  serveListAdministeredApps(apps)
  serveReadAdministeredApp(apps)
  serveSuspendApp(apps)
  serveResumeApp(apps)

  const tokens = serveTokens(service, { http, pool, lastUse, log })

  serveReadHealth(service)
  serveReadReadiness(service, () => draining)
  serveReadDatabaseHealth(service, pool)
  serveReadVersion(service, version)
  serveListTimeZones(service)
  serveProblemPages(http)
  serveReadProblem(service)
  const pages = [
    ...serveOpenapi(http, { baseUrl, version }),
    ...serveReference(http),
    ...serveDocs(http, { baseUrl, findAppExamples: createFindAppExamples({ database, authenticate }) }),
    ...serveIcon(http),
    ...serveSite(http, site, { random, mediaUrl: mediaUrlOf(config) }),
  ]

  const forms = [
    ...servePages(http, accounts),
    ...serveAnswers(http, service),
    ...serveReminderStop(http, service),
    ...serveProvider(http, accounts),
  ]
  refuseOtherMethods(http, new Map([...methodsByPath(), ...pages, ...forms, ...(carried?.paths ?? [])]))

  const mailTasks = {
    [sendMailTask]: createSendMailTask({ mailer, sealedBox, baseUrl }),
    [deliveryTask]: createDeliveryTask({ ...service, mailer, log }),
    [formerLetterTask]: createFormerLetterTask(service),
  }
  const tasks = {
    ...carried?.tasks,
    [remindTask]: createRemindTask({ ...service, log }),
    [refreshNameKeysTask]: async () => void (await refreshNameKeys(database)),
    [linkMailTask]: createLinkMailTask(accounts),
    [eraseAccountsTask]: createEraseAccountsTask({ ...service, log }),
    [bindSecretsTask]: createBindSecretsTask({ database, sealedBox, log }),
    [forgetTask]: async () => {
      await forgetExpired(database, clock.now(), retention)
      await forgetOldAnswers(database, clock.now())
      await forgetAppEvents(database, clock.now(), retention.appEventDays)
      await deleteRemovedTesters(database, clock.now())
      await forgetExpiredTokens(database, clock.now())
      await forgetOldRequests(database, clock.now())
      await forgetOldMails(database, clock.now(), retention.mailRecordDays)
      await forgetOldHistory(database, clock.now(), retention.historyDays)
      await forgetOldAdmissions(database, clock.now())
      await forgetOldSignIns(database, clock.now())
    },
  }

  if (metrics !== undefined) {
    observeRequests(metrics, http, streams.count)
    observeDatabase(metrics, pool)
    observeQueuedJobs(metrics, pool, Object.keys(mailTasks))
    observeRooms(metrics, pool, carried?.engine)
  }
  const run = metrics === undefined ? { tasks, mailTasks } : observeTasks(metrics, { tasks, mailTasks })

  return {
    http,
    engine: carried?.engine,
    ...run,
    hourly: [forgetTask, bindSecretsTask, eraseAccountsTask],
    minutely: [remindTask, ...(carried ? [carried.minutely] : [])],
    atStart: [bindSecretsTask, refreshNameKeysTask, ...(carried ? [carried.minutely] : [])],
    setUpCode: () => accounts.firstAccount.codeToShow(database),
    drain() {
      draining = true
      presence.close()
      streams.end()
    },
    async endCalls() {
      await carried?.stop()
    },
    async close() {
      presence.close()
      streams.end()
      await http.close()
      await announcements.close()
      await tokens.flush()
      await apiRefusalLog.flush()
      await lastUse.flush()
    },
  }
}

function methodsByPath(): Map<string, string[]> {
  const taken = new Map<string, string[]>()
  for (const { path, method } of endpoints) taken.set(path, [...(taken.get(path) ?? []), method])
  return taken
}
