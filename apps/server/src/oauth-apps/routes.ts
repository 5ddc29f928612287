import { serveListAdministeredApps } from './administration/list-administered-apps.ts'
import { serveReadAdministeredApp } from './administration/read-administered-app.ts'
import type { AppsService } from './apps-service.ts'
import { serveCreatePlaygroundSecret } from './credentials/create-playground-secret.ts'
import { serveCreateSecret } from './credentials/create-secret.ts'
import { serveListSecrets } from './credentials/list-secrets.ts'
import { serveRetireSecret } from './credentials/retire-secret.ts'
import { serveListAppEvents } from './events/list-app-events.ts'
import { serveReadOauthAccess } from './read-oauth-access.ts'
import { serveDeleteApp } from './registration/delete-app.ts'
import { serveEditApp } from './registration/edit-app.ts'
import { serveListApps } from './registration/list-apps.ts'
import { serveListUseCases } from './registration/list-use-cases.ts'
import { serveReadApp } from './registration/read-app.ts'
import { serveRequestOauthAccess } from './registration/request-oauth-access.ts'
import { serveDecideReview } from './review/decide-review.ts'
import { serveListReviews } from './review/list-reviews.ts'
import { serveReadReview } from './review/read-review.ts'
import { serveResubmitApp } from './review/resubmit-app.ts'
import { serveResumeApp } from './review/resume-app.ts'
import { serveSubmitApp } from './review/submit-app.ts'
import { serveSuspendApp } from './review/suspend-app.ts'
import { serveAnswerTesterInvitation } from './testers/answer-tester-invitation.ts'
import { serveListTesterInvitations } from './testers/list-tester-invitations.ts'
import { serveListTesters } from './testers/list-testers.ts'
import { serveReplaceTesters } from './testers/replace-testers.ts'

/** Register the endpoints of OAuth apps: registration, credentials, review, events. */
export function registerAppRoutes(apps: AppsService): void {
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
  serveCreatePlaygroundSecret(apps)
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
}
