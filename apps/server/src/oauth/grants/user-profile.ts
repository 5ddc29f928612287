import { readUserProfile } from '@parley/contract'
import { isAddressVerified } from '../../access/trusted-address.ts'
import { createFindAccountShared } from '../../accounts/account/account-store.ts'
import { viewProfile } from '../../accounts/account/profile.ts'
import { isReviewer } from '../../accounts/account/tenant-store.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'

/**
 * Register the profile that apps may read: our fields and the claims of OpenID Connect Core 1.0, 5.1; no PIN, no key
 * and no settings. Apps link accounts by verified addresses: `email_verified` is true only for a proven one
 * (access/trusted-address.ts).
 */
export function registerUserProfile(dependencies: Pick<Dependencies, 'serve' | 'database' | 'config'>): void {
  const { serve, config } = dependencies
  const findAccount = createFindAccountShared(dependencies.database)
  serve(readUserProfile, {
    handle: async ({ caller, database }) => {
      const account = await findAccount(caller.accountId)
      if (account === undefined) throw problem('unauthorized')
      const reviewer = await isReviewer(database, account)
      const profile = viewProfile(
        { ...account, reviewer },
        { emailVerified: isAddressVerified(account), baseUrl: config.baseUrl },
      )
      const { _id, name, lname, email, phoneNo, roleIds, imageMeta, department, location, source } = profile
      const { avatar, tenantId, svcMeetId, extension } = profile
      return {
        _id,
        name,
        lname,
        email,
        phoneNo,
        roleIds,
        imageMeta,
        department,
        location,
        source,
        avatar,
        tenantId,
        svcMeetId,
        extension,
        sub: _id,
        email_verified: profile.emailVerified,
        given_name: name,
        family_name: lname,
        picture: imageMeta.path,
      }
    },
  })
}
