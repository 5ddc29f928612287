import { type SuggestedPerson, suggestPeople } from '@parley/contract'
import { searchWords } from '@parley/rules/text/search-words'
import { holdsScope } from '../access/caller.ts'
import { namesUnverifiedParticipants } from '../access/trusted-address.ts'
import { imageMetaOf } from './account/photo-store.ts'
import { type Suggestion, suggest } from './contact-store.ts'
import type { Dependencies } from './dependencies.ts'

const defaultLimit = 8

/**
 * Register the suggestion of people while a person types. An app sees what the meetings show it, and never the accounts
 * of the organisation.
 */
export function registerPeople({ serve, attemptLimits, config }: Dependencies): void {
  serve(suggestPeople, {
    handle: async ({ caller, query: { q, limit = defaultLimit }, database }) => {
      const { accountId, tenantId, addressKey, addressTrusted, credential } = caller
      await attemptLimits.countOrRefuse('suggestionsOfAccount', accountId)
      const words = searchWords(q)
      if (words.length === 0 || (credential.kind === 'oauth' && !holdsScope(caller, 'meeting:read')))
        return { people: [] }
      const found = await suggest(database, {
        accountId,
        tenantId,
        ownKey: addressKey,
        words,
        // The address decides about the organisation: with one that is not confirmed, a stranger would read its people.
        includesColleagues: credential.kind !== 'oauth' && addressTrusted,
        namesEveryAddress: namesUnverifiedParticipants(config),
        limit,
      })
      return { people: found.map((suggestion) => viewSuggestion(suggestion, config.baseUrl)) }
    },
  })
}

const viewSuggestion = ({ email, name, userId, createdAt, photo }: Suggestion, baseUrl: string): SuggestedPerson => ({
  email,
  name,
  ...(userId !== null && createdAt !== null && { userId, imageMeta: imageMetaOf({ createdAt, photo }, baseUrl) }),
})
