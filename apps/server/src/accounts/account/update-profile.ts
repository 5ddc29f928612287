import { updateProfile } from '@parley/contract'
import { readPlainText } from '@parley/rules/text/plain-text'
import { combine, type Reading, readOptional, refuseAt } from '@parley/rules/text/reading'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { AccountsService } from '../accounts-service.ts'
import { lockAccount } from './account-store.ts'
import { lastNameLimits, nameLimits, readPersonName, readPersonTimeZone } from './person-fields.ts'
import { viewOwnProfile } from './read-profile.ts'

/** Update the fields that were sent; concurrent changes of different fields are both kept. */
export function serveUpdateProfile(service: AccountsService) {
  const { serve, clock, config } = service
  serve(updateProfile, {
    read: ({ body: { name, lname, phoneNo, timeZone, department, location } }) =>
      combine({
        name: readOptional(name, (text) => readPersonName('/name', text, nameLimits)),
        lname: readOptional(lname, (text) => readPersonName('/lname', text, lastNameLimits)),
        phoneNo: readOptional(phoneNo, readPhone),
        timeZone: readOptional(timeZone, (text) => readPersonTimeZone(text, config.timeZoneAliases)),
        department: readOptional(department, (text) => readPlainText('/department', text, { maxLength: 100 })),
        location: readOptional(location, (text) => readPlainText('/location', text, { maxLength: 100 })),
      }),
    handle: ({ caller, body, input, database }) =>
      inTransaction(database, async (tx) => {
        const account = await lockAccount(tx, caller.accountId)
        if (account === undefined) throw problem('unauthorized')
        const { language, avatar } = body
        const changed = await tx
          .updateTable('account')
          .set({
            // Kysely omits undefined fields.
            ...input,
            language,
            avatar,
            settings: JSON.stringify(mergeSwitches(account.settings, body)),
            schoolData: JSON.stringify(mergeSwitches(account.schoolData, body.schoolData ?? {})),
            modifiedAt: clock.now(),
          })
          .where('id', '=', account.id)
          .returningAll()
          .executeTakeFirstOrThrow()
        return viewOwnProfile(service, tx, caller, changed)
      }),
  })
}

/** Merge the sent switches into the known ones; unknown names are ignored. */
function mergeSwitches<Switches extends Record<string, boolean>>(before: Switches, sent: Partial<Switches>): Switches {
  const after = { ...before }
  for (const name of Object.keys(before) as (keyof Switches)[]) after[name] = sent[name] ?? before[name]
  return after
}

function readPhone(phoneNo: string): Reading<string> {
  if (/^[0-9 ()+-]*$/.test(phoneNo)) return { value: phoneNo }
  return refuseAt('/phoneNo', 'bad_format', 'may hold digits, spaces and + - ( ) only')
}
