import { isDeepStrictEqual } from 'node:util'
import {
  type AuditAction,
  deleteOrganisationLogo,
  maxOrganisationLogoBytes,
  maxOrganisationNameLength,
  type OrganisationSettings,
  readOrganisation,
  updateOrganisation,
  updateOrganisationLogo,
} from '@parley/contract'
import { readColour } from '@parley/rules/accounts/accent-colours'
import { combine, type Parsed, readOptional, readRequired, refuseAt } from '@parley/rules/text/parsed'
import type { StoredBrand } from '../../migrations/column-values.ts'
import { audit } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { isShownInMail } from '../email/mail-brand.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { publish } from '../platform/database/topics.ts'
import { readImageField, serveImages } from '../platform/served-image.ts'
import { readPersonName } from './account/person-fields.ts'
import { lockTenant } from './account/tenant-store.ts'
import type { Dependencies } from './dependencies.ts'
import { deleteLogo, findBrand, findLogo, logoPath, lookOf, replaceLogo, updateBrand } from './organisation-store.ts'
import { brandTopic } from './service-face.ts'

/** Register the endpoints of an organisation's name, logos and colour, and the address of its logos. */
export function registerOrganisation(dependencies: Dependencies): void {
  serveReadOrganisation(dependencies)
  serveUpdateOrganisation(dependencies)
  serveUpdateLogo(dependencies)
  serveDeleteLogo(dependencies)
  serveImages(dependencies.http, logoPath(':id'), {
    find: (digest) => findLogo(dependencies.database, digest),
    cacheControl: `public, max-age=${logoLifetimeSeconds}, immutable`,
  })
}

function serveReadOrganisation({ serve }: Dependencies) {
  serve(readOrganisation, {
    handle: async ({ caller, database }) => viewSettings(await findBrand(database, caller.tenantId)),
  })
}

const viewSettings = (brand: StoredBrand): OrganisationSettings => ({
  ...lookOf(brand),
  colour: brand.colour ?? null,
  logosInMail: { light: isShownInMail(brand.logos?.light), dark: isShownInMail(brand.logos?.dark) },
})

/** What an administrator's request changes, by whom and from where. */
type Change = { tenantId: string; actorId: string; address: string; action: AuditAction }

/**
 * Change a brand, with an audit entry, unless it stays what it is. The organisation is locked, so that changes of two
 * administrators to different parts are both kept.
 */
const changeBrand = (
  { clock, random }: Dependencies,
  database: Database,
  { tenantId, actorId, address, action }: Change,
  change: (before: StoredBrand, tx: Tx, now: Date) => Promise<{ after: StoredBrand; detail: object }>,
): Promise<OrganisationSettings> =>
  inTransaction(database, async (tx) => {
    const now = clock.now()
    await lockTenant(tx, tenantId)
    const before = await findBrand(tx, tenantId)
    const { after, detail } = await change(before, tx, now)
    if (!isDeepStrictEqual(after, before)) {
      await updateBrand(tx, tenantId, after)
      await publish(tx, brandTopic)
      await audit(tx, random, now, { tenantId, actorId, subjectId: null, action, detail, address })
    }
    return viewSettings(after)
  })

/** Change the name or the colour. Names of people and of organisations take the same characters. */
function serveUpdateOrganisation(service: Dependencies) {
  service.serve(updateOrganisation, {
    read: ({ body }) =>
      combine({
        name: readOptional(body.name, (text) => readPersonName('/name', text.trim(), { maxLength })),
        colour: readOptional(body.colour, readColourField),
      }),
    handle: ({ caller, input, request, database }) =>
      changeBrand(service, database, changeOf(caller, request, 'organisation.changed'), async (before) => {
        const name = input.name ?? before.name
        const colour = input.colour ?? before.colour
        const after: StoredBrand = {
          ...(name && { name }),
          ...(colour && { colour }),
          ...(before.logos && { logos: before.logos }),
        }
        const fields = (['name', 'colour'] as const).filter((field) => after[field] !== before[field])
        const changes = fields.map((field) => [field, { before: before[field] ?? '', after: after[field] ?? '' }])
        return { after, detail: Object.fromEntries(changes) }
      }),
  })
}

const maxLength = maxOrganisationNameLength

const changeOf = ({ tenantId, accountId: actorId }: Caller, { address }: { address: string }, action: AuditAction) => ({
  tenantId,
  actorId,
  address,
  action,
})

function readColourField(text: string): Parsed<string> {
  if (text.trim() === '') return { value: '' }
  const colour = readColour(text)
  return colour === undefined
    ? refuseAt('/colour', 'bad_colour', 'must be a colour such as #14655a')
    : { value: colour }
}

function serveUpdateLogo(service: Dependencies) {
  service.serve(updateOrganisationLogo, {
    read: ({ body }) => readRequired(body.image, (image) => readImageField(image, maxOrganisationLogoBytes)),
    handle: ({ caller, params: { ground }, input: image, request, database }) => {
      const change = changeOf(caller, request, 'organisation-logo.changed')
      return changeBrand(service, database, change, async (before, tx, now) => {
        const logo = await replaceLogo(tx, { tenantId: caller.tenantId, ground }, image, now)
        const { mediaType, width, height, digest } = logo
        return {
          after: { ...before, logos: { ...before.logos, [ground]: logo } },
          detail: { ground, mediaType, width, height, digest },
        }
      })
    },
  })
}

function serveDeleteLogo(service: Dependencies) {
  service.serve(deleteOrganisationLogo, {
    handle: ({ caller, params: { ground }, request, database }) => {
      const change = changeOf(caller, request, 'organisation-logo.removed')
      return changeBrand(service, database, change, async (before, tx) => {
        const { [ground]: removed, ...others } = before.logos ?? {}
        if (removed === undefined) return { after: before, detail: {} }
        await deleteLogo(tx, caller.tenantId, ground)
        const { logos: _, ...rest } = before
        const after = Object.keys(others).length === 0 ? rest : { ...rest, logos: others }
        return { after, detail: { ground, digest: removed.digest } }
      })
    },
  })
}

/** The address of a logo changes with its bytes. */
const logoLifetimeSeconds = 365 * 24 * 60 * 60
