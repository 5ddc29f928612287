import { profileSettingDefaults, updateProfile, type Violation } from '@parley/contract'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import { lockAccount } from './account-store.ts'
import { noSchoolData } from './create-account.ts'
import { lastNameLimits, nameLimits, validatePersonName, validateText, validateTimeZone } from './field-checks.ts'
import { viewOwnProfile } from './read-profile.ts'

/** Update the fields that were sent; concurrent changes of different fields are both kept. */
export function serveUpdateProfile(service: AccountsService) {
  const { serve, clock, config } = service
  serve(updateProfile, {
    handle: ({ caller, body, database }) =>
      inTransaction(database, async (tx) => {
        const account = await lockAccount(tx, caller.accountId)
        if (account === undefined) throw problem('unauthorized')
        const { name, lname, phoneNo, timeZone, language, department, location, avatar } = body
        const changed = await tx
          .updateTable('account')
          .set({
            // Kysely omits undefined fields.
            name,
            lname,
            phoneNo,
            timeZone,
            language,
            department,
            location,
            avatar,
            settings: JSON.stringify(mergeSwitches({ ...profileSettingDefaults, ...account.settings }, body)),
            schoolData: JSON.stringify(
              mergeSwitches({ ...noSchoolData, ...account.schoolData }, body.schoolData ?? {}),
            ),
            modifiedAt: clock.now(),
          })
          .where('id', '=', account.id)
          .returningAll()
          .executeTakeFirstOrThrow()
        return viewOwnProfile(service, tx, caller, changed)
      }),
    check: ({ body: { name, lname, phoneNo, timeZone, department, location } }) => [
      ...validatePersonName('name', name, nameLimits),
      ...validatePersonName('lname', lname, lastNameLimits),
      ...validatePhone(phoneNo),
      ...validateTimeZone(timeZone, config.timeZoneAliases),
      ...validateText('department', department, { maxLength: 100 }),
      ...validateText('location', location, { maxLength: 100 }),
    ],
  })
}

/** Merge the sent switches into the known ones; unknown names are ignored. */
function mergeSwitches<Switches extends Record<string, boolean>>(before: Switches, sent: Partial<Switches>): Switches {
  const after = { ...before }
  for (const name of Object.keys(before) as (keyof Switches)[]) after[name] = sent[name] ?? before[name]
  return after
}

function validatePhone(phoneNo: string | undefined): Violation[] {
  if (phoneNo === undefined || /^[0-9 ()+-]*$/.test(phoneNo)) return []
  const message = 'phoneNo may hold digits, spaces and + - ( ) only.'
  return [{ path: '/phoneNo', code: 'bad_format', message }]
}
