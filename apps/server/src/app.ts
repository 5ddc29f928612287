import { endpoints } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { createAuthenticate } from './access/authenticate.ts'
import { createGuestCookie } from './access/credentials/guest-cookie.ts'
import { createLastUse } from './access/credentials/last-use.ts'
import { createAnswerOnce, forgetOldAnswers } from './access/idempotency.ts'
import { createIsLocalRequest } from './access/local-request.ts'
import { createServe } from './access/serve.ts'
import type { Service } from './access/service.ts'
import { createStreams } from './access/streams.ts'
import { serveDeleteAccount } from './account-data/delete-account.ts'
import { serveDeleteOwnAccount } from './account-data/delete-own-account.ts'
import { createEraseAccountsTask, eraseAccountsTask } from './account-data/erase-accounts-job.ts'
import { serveExportOwnData } from './account-data/export-own-data.ts'
import { serveReadProfile } from './accounts/account/read-profile.ts'
import { serveUpdateProfile } from './accounts/account/update-profile.ts'
import { createAccountsService } from './accounts/accounts-service.ts'
import { serveInviteAccount } from './accounts/administration/invite-account.ts'
import { serveListAccounts } from './accounts/administration/list-accounts.ts'
import { serveUpdateAccount } from './accounts/administration/update-account.ts'
import { serveExportAuditLog } from './accounts/audit-log/export-audit-log.ts'
import { serveListAuditLog } from './accounts/audit-log/list-audit-log.ts'
import { forgetExpired } from './accounts/email-links/forget-expired.ts'
import { createLinkMailTask, linkMailTask } from './accounts/email-links/link-mail-job.ts'
import { serveVerifyEmail } from './accounts/email-links/verify-email.ts'
import { serveDeclineOauthRequest } from './accounts/oauth-requests/decline-oauth-request.ts'
import { serveListOauthRequests } from './accounts/oauth-requests/list-oauth-requests.ts'
import { serveAddPasskey } from './accounts/passkeys/add-passkey.ts'
import { serveDeletePasskey } from './accounts/passkeys/delete-passkey.ts'
import { serveListPasskeys } from './accounts/passkeys/list-passkeys.ts'
import { servePreparePasskey } from './accounts/passkeys/prepare-passkey.ts'
import { servePreparePasskeySignIn } from './accounts/passkeys/prepare-passkey-sign-in.ts'
import { serveRenamePasskey } from './accounts/passkeys/rename-passkey.ts'
import { serveSignInWithPasskey } from './accounts/passkeys/sign-in-with-passkey.ts'
import { serveChangePassword } from './accounts/password/change-password.ts'
import { serveResetPassword } from './accounts/password/reset-password.ts'
import { serveCreatePersonalToken } from './accounts/personal-tokens/create-personal-token.ts'
import { serveDeletePersonalToken } from './accounts/personal-tokens/delete-personal-token.ts'
import { serveListPersonalTokens } from './accounts/personal-tokens/list-personal-tokens.ts'
import { serveReadSession } from './accounts/read-session.ts'
import { serveEndOtherSessions } from './accounts/sessions/end-other-sessions.ts'
import { serveEndSession } from './accounts/sessions/end-session.ts'
import { serveListSecurityLog } from './accounts/sessions/list-security-log.ts'
import { serveListSessions } from './accounts/sessions/list-sessions.ts'
import { serveSignOut } from './accounts/sessions/sign-out.ts'
import type { FirstAccountPolicy } from './accounts/set-up/first-account.ts'
import { serveReadService } from './accounts/sign-in/read-service.ts'
import { serveSignIn } from './accounts/sign-in/sign-in.ts'
import { serveSignUp } from './accounts/sign-in/sign-up.ts'
import { serveProblemPages } from './docs/problem-pages.ts'
import { serveDocs } from './docs/serve-docs.ts'
import type { Mailer } from './email/mail.ts'
import { createSendMailTask, sendMailTask } from './email/mail-job.ts'
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
import { serveCancelMeeting } from './meetings/cancel-meeting.ts'
import { serveCreateMeeting } from './meetings/create-meeting.ts'
import { deliveryTask } from './meetings/guest-delivery.ts'
import { serveListOccurrences } from './meetings/list-occurrences.ts'
import { serveListCalendar } from './meetings/lists/list-calendar.ts'
import { serveListMeetings } from './meetings/lists/list-meetings.ts'
import { serveRemoveAddedMeeting } from './meetings/lists/remove-added-meeting.ts'
import { servePreviewMeeting } from './meetings/preview-meeting.ts'
import { serveReadMeeting } from './meetings/read-meeting.ts'
import { bindSecretsTask, createBindSecretsTask } from './meetings/secrets/bind-meeting-secrets.ts'
import { createRenewHostSecrets } from './meetings/secrets/renew-host-secrets.ts'
import { serveUpdateMeeting } from './meetings/update-meeting.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { observeDatabase } from './metrics/observe-database.ts'
import { observeQueuedJobs, observeTasks } from './metrics/observe-jobs.ts'
import { observeMailer } from './metrics/observe-mailer.ts'
import { observeRequests } from './metrics/observe-requests.ts'
import { observeRooms } from './metrics/observe-rooms.ts'
import { forgetOldRequests } from './oauth/authorize/authorization-request-store.ts'
import { servePages } from './oauth/authorize/serve-pages.ts'
import { createApiRefusalLog } from './oauth/grants/api-refusal-log.ts'
import { endGrantsOfAccount } from './oauth/grants/end-grants-of-account.ts'
import { forgetExpiredTokens } from './oauth/grants/forget-expired.ts'
import { serveTokens } from './oauth/grants/serve-tokens.ts'
import { serveListAdministeredApps } from './oauth-apps/administration/list-administered-apps.ts'
import { serveReadAdministeredApp } from './oauth-apps/administration/read-administered-app.ts'
import { createFindAppExamples } from './oauth-apps/app-examples.ts'
import { createAppsService, type PageChecks } from './oauth-apps/apps-service.ts'
import { serveCreateSecret } from './oauth-apps/credentials/create-secret.ts'
import { serveListSecrets } from './oauth-apps/credentials/list-secrets.ts'
import { serveListTesters } from './oauth-apps/credentials/list-testers.ts'
import { serveReplaceTesters } from './oauth-apps/credentials/replace-testers.ts'
import { serveRetireSecret } from './oauth-apps/credentials/retire-secret.ts'
import { deleteRemovedTesters } from './oauth-apps/credentials/tester-store.ts'
import { forgetAppEvents } from './oauth-apps/events/forget-app-events.ts'
import { serveListAppEvents } from './oauth-apps/events/list-app-events.ts'
import { serveReadOauthAccess } from './oauth-apps/read-oauth-access.ts'
import { serveDeleteApp } from './oauth-apps/registration/delete-app.ts'
import { serveEditApp } from './oauth-apps/registration/edit-app.ts'
import { serveListApps } from './oauth-apps/registration/list-apps.ts'
import { serveListUseCases } from './oauth-apps/registration/list-use-cases.ts'
import { serveReadApp } from './oauth-apps/registration/read-app.ts'
import { refreshNameKeys, refreshNameKeysTask } from './oauth-apps/registration/refresh-name-keys.ts'
import { serveRequestOauthAccess } from './oauth-apps/registration/request-oauth-access.ts'
import { serveDecideReview } from './oauth-apps/review/decide-review.ts'
import { serveListReviews } from './oauth-apps/review/list-reviews.ts'
import { serveReadReview } from './oauth-apps/review/read-review.ts'
import { serveResubmitApp } from './oauth-apps/review/resubmit-app.ts'
import { serveResumeApp } from './oauth-apps/review/resume-app.ts'
import { serveSubmitApp } from './oauth-apps/review/submit-app.ts'
import { serveSuspendApp } from './oauth-apps/review/suspend-app.ts'
import { serveAnswerTesterInvitation } from './oauth-apps/testers/answer-tester-invitation.ts'
import { serveListTesterInvitations } from './oauth-apps/testers/list-tester-invitations.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { createAnnouncements } from './platform/database/announcements.ts'
import { createDatabase } from './platform/database/database.ts'
import { createDatabaseFailureLog } from './platform/database/database-failure-log.ts'
import { createHttp, refuseOtherMethods } from './platform/http/http.ts'
import type { TaskOfJob } from './platform/jobs/jobs.ts'
import type { Random } from './platform/random.ts'
import { createSealedBox } from './platform/sealed-box.ts'
import { serveAddMeeting } from './rooms/admission/add-meeting.ts'
import { forgetOldAdmissions } from './rooms/admission/admission-store.ts'
import { serveAdmitAll } from './rooms/admission/admit-all.ts'
import { serveDecideAdmission } from './rooms/admission/decide-admission.ts'
import { createDetachAdmissions } from './rooms/admission/detach-admissions.ts'
import { serveEnterRoom } from './rooms/admission/enter-room.ts'
import { serveWatchAdmission } from './rooms/admission/watch-admission.ts'
import { serveExportAttendance } from './rooms/attendance/export-attendance.ts'
import { forgetOldHistory } from './rooms/attendance/forget-history.ts'
import { serveListAttendance } from './rooms/attendance/list-attendance.ts'
import { type MediaEngine, mediaUrlOf } from './rooms/engine/media-engine.ts'
import { isMediaUpgrade } from './rooms/engine/media-proxy.ts'
import { serveMedia } from './rooms/engine/serve-media.ts'
import { serveAskNewGuests } from './rooms/host-controls/ask-new-guests.ts'
import { serveControlParticipant } from './rooms/host-controls/control-participant.ts'
import { serveEndRoom } from './rooms/host-controls/end-room.ts'
import { serveLockRoom } from './rooms/host-controls/lock-room.ts'
import { serveMuteAll } from './rooms/host-controls/mute-all.ts'
import { serveWatchRoom } from './rooms/host-controls/watch-room.ts'
import type { MediaAccess } from './rooms/media-access.ts'
import { createPresence, type PresenceTimes } from './rooms/presence.ts'
import { createRoomReads } from './rooms/room-reads.ts'
import type { RoomsService } from './rooms/rooms-service.ts'
import { serveIcon } from './service-info/icon.ts'
import { serveListTimeZones } from './service-info/list-time-zones.ts'
import { serveOpenapi } from './service-info/openapi.ts'
import { serveReadDatabaseHealth } from './service-info/read-database-health.ts'
import { serveReadHealth } from './service-info/read-health.ts'
import { serveReadProblem } from './service-info/read-problem.ts'
import { serveReadReadiness } from './service-info/read-readiness.ts'
import { serveReadVersion } from './service-info/read-version.ts'
import { serveReference } from './service-info/reference.ts'
import { serveProvider } from './sso/serve-provider.ts'
import { forgetOldSignIns } from './sso/sign-in-store.ts'
import type { Tables } from './tables/tables.ts'
import type { Site } from './web-app/read-site.ts'
import { createShowNotFound, serveSite } from './web-app/serve-site.ts'

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
