import { serveReadProfile } from './account/read-profile.ts'
import { serveUpdateProfile } from './account/update-profile.ts'
import type { AccountsService } from './accounts-service.ts'
import { serveInviteAccount } from './administration/invite-account.ts'
import { serveListAccounts } from './administration/list-accounts.ts'
import { serveUpdateAccount } from './administration/update-account.ts'
import { serveExportAuditLog } from './audit-log/export-audit-log.ts'
import { serveListAuditLog } from './audit-log/list-audit-log.ts'
import { serveDeclineOauthRequest } from './oauth-requests/decline-oauth-request.ts'
import { serveListOauthRequests } from './oauth-requests/list-oauth-requests.ts'
import { serveVerifyEmail } from './ownership/verify-email.ts'
import { serveAddPasskey } from './passkeys/add-passkey.ts'
import { serveDeletePasskey } from './passkeys/delete-passkey.ts'
import { serveListPasskeys } from './passkeys/list-passkeys.ts'
import { servePreparePasskey } from './passkeys/prepare-passkey.ts'
import { servePreparePasskeyConfirmation } from './passkeys/prepare-passkey-confirmation.ts'
import { servePreparePasskeySignIn } from './passkeys/prepare-passkey-sign-in.ts'
import { serveRenamePasskey } from './passkeys/rename-passkey.ts'
import { serveSignInWithPasskey } from './passkeys/sign-in-with-passkey.ts'
import { serveChangePassword } from './password/change-password.ts'
import { serveResetPassword } from './password/reset-password.ts'
import { serveCreatePersonalToken } from './personal-tokens/create-personal-token.ts'
import { serveDeletePersonalToken } from './personal-tokens/delete-personal-token.ts'
import { serveListPersonalTokens } from './personal-tokens/list-personal-tokens.ts'
import { serveReadSession } from './read-session.ts'
import { serveEndOtherSessions } from './sessions/end-other-sessions.ts'
import { serveEndSession } from './sessions/end-session.ts'
import { serveListSecurityLog } from './sessions/list-security-log.ts'
import { serveListSessions } from './sessions/list-sessions.ts'
import { serveSignOut } from './sessions/sign-out.ts'
import { serveReadService } from './sign-in/read-service.ts'
import { serveSignIn } from './sign-in/sign-in.ts'
import { serveSignUp } from './sign-in/sign-up.ts'

/** Register the endpoints of accounts: sign-up, sign-in, profile, tokens, administration. */
export function registerAccountRoutes(accounts: AccountsService): void {
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
  servePreparePasskeyConfirmation(accounts)
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
}
