import {
  type BodyOf,
  deleteOrganisationLogo,
  type LogoGround,
  type OrganisationSettings,
  readOrganisation,
  updateOrganisation,
  updateOrganisationLogo,
} from '@parley/contract'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { organisationQuery } from '../session/organisation.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'

const settingsKey = ['organisation-settings']

export const organisationSettingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: () => client.call(readOrganisation),
})

/** A change of the settings, which the frame of the page shows at once. */
function useSettingsChange<Variables>(
  mutationFn: (variables: Variables) => Promise<OrganisationSettings>,
  { onSaved, ...handlers }: ChangeHandlers<OrganisationSettings, Variables>,
) {
  const queryClient = useQueryClient()
  return useChange<OrganisationSettings, Variables>(
    { mutationFn, refreshes: settingsKey },
    {
      ...handlers,
      onSaved: async (settings, variables) => {
        queryClient.setQueryData(settingsKey, settings)
        // Saved all the same when the connection is lost before it is read again.
        await queryClient.fetchQuery({ ...organisationQuery, staleTime: 0 }).catch(() => undefined)
        await onSaved?.(settings, variables)
      },
    },
  )
}

type SettingsBody = BodyOf<typeof updateOrganisation>

export const useUpdateOrganisation = (handlers: ChangeHandlers<OrganisationSettings, SettingsBody>) =>
  useSettingsChange((body) => client.call(updateOrganisation, { body }), handlers)

/** `image`: base64; absent: the logo is removed. */
type LogoChange = { ground: LogoGround; image?: string }

export const useChangeLogo = (handlers: ChangeHandlers<OrganisationSettings, LogoChange>) =>
  useSettingsChange<LogoChange>(
    ({ ground, image }) =>
      image === undefined
        ? client.call(deleteOrganisationLogo, { params: { ground } })
        : client.call(updateOrganisationLogo, { params: { ground }, body: { image } }),
    handlers,
  )
