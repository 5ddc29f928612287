import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { choice, nullableText, plainText } from './value.ts'

export const maxOrganisationNameLength = 60

/** Far more than a logo of the size that pages show it in. */
export const maxOrganisationLogoBytes = 256 * 1024
const maxLogoTextLength = Math.ceil(maxOrganisationLogoBytes / 3) * 4

/** The grounds that a logo can be for: that of light pages, and that of dark ones. */
const logoGrounds = ['light', 'dark'] as const
export type LogoGround = (typeof logoGrounds)[number]

type Logo = { url: string; width: number; height: number }
const logo = Type.Unsafe<Logo | null>({
  type: ['object', 'null'],
  description: 'An image on this service; null where there is none',
  properties: {
    url: Type.String({
      description: 'Address of the image on this service; it changes with the image',
      examples: ['/organisation/logos/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'],
    }),
    width: Type.Integer({ description: 'Width in pixels' }),
    height: Type.Integer({ description: 'Height in pixels' }),
  },
  required: ['url', 'width', 'height'],
})

const shades = Type.Object(
  {
    accent: Type.String({ description: 'Of buttons and links', examples: ['#14655a'] }),
    hover: Type.String({ description: 'Of a button under the pointer', examples: ['#0d4d44'] }),
    tint: Type.String({ description: 'Behind what is selected', examples: ['#d2ebe5'] }),
    onAccent: Type.String({ description: 'Of text on a button', examples: ['#ffffff'] }),
  },
  { description: 'Shades for pages with a light or a dark ground' },
)
const colours = Type.Object({ light: shades, dark: shades })

/** The look of an organisation, as anyone sees it who meets its people. */
const organisationLook = Type.Object(
  {
    name: Type.String({ description: 'Name; empty where none is set, and pages show that of the product' }),
    logos: Type.Object(
      {
        light: logo,
        dark: logo,
      },
      {
        description:
          'Logos for light and for dark pages. Without one for dark pages, these show the other on a light ground',
      },
    ),
    colours: Type.Unsafe<Static<typeof colours> | null>({
      ...colours,
      type: ['object', 'null'],
      description: 'Shades of the colour, each with a contrast of 4.5:1 to its text; null where no colour is set',
    }),
  },
  { description: 'Name, logos and colours' },
)
export type OrganisationLook = Static<typeof organisationLook>

/** A field with the look of an organisation that may have none. */
export const optionalLook = (description: string) =>
  Type.Unsafe<OrganisationLook | null>({ ...organisationLook, type: ['object', 'null'], description })

const organisationSettings = Type.Object({
  ...organisationLook.properties,
  colour: nullableText({ description: 'The colour as it was set, as `#rrggbb`; null where none is' }),
  logosInMail: Type.Object(
    {
      light: Type.Boolean({ description: 'Whether mails show the logo for light ground' }),
      dark: Type.Boolean({ description: 'Whether mails show the logo for dark ground' }),
    },
    {
      description: 'Mails show PNG and JPEG files of at most 32 KiB: other formats are not shown by all mail programs',
    },
  ),
})
export type OrganisationSettings = Static<typeof organisationSettings>

export const readOrganisation = endpoint({
  name: 'readOrganisation',
  method: 'GET',
  path: '/api/admin/organisation',
  tag: 'Administration',
  summary: 'Read the name, the logos and the colour of your organisation',
  access: 'administrator',
  cost: 'light',
  reply: organisationSettings,
  problems: [],
})

export const updateOrganisation = endpoint({
  name: 'updateOrganisation',
  method: 'PUT',
  path: '/api/admin/organisation',
  tag: 'Administration',
  summary: 'Change the name or the colour of your organisation',
  description:
    'Only what the body names is changed. Pages and mails show the name in place of the product’s, and the nearest ' +
    'shades of the colour that are readable on light and on dark pages.',
  access: 'administrator',
  cost: 'light',
  body: Type.Object({
    name: Type.Optional(
      plainText(maxOrganisationNameLength, `Name: at most ${maxOrganisationNameLength} characters; empty for none`),
    ),
    colour: Type.Optional(
      Type.String({
        maxLength: 16,
        description: 'Colour as `#rrggbb` or `#rgb`; empty for none',
        examples: ['#14655a'],
      }),
    ),
  }),
  example: { name: 'Acme', colour: '#14655a' },
  reply: organisationSettings,
  problems: [],
})

const logoPath = Type.Object({
  ground: choice(logoGrounds, { description: '`light`: for light pages; `dark`: for dark ones' }),
})

export const updateOrganisationLogo = endpoint({
  name: 'updateOrganisationLogo',
  method: 'PUT',
  path: '/api/admin/organisation/logos/:ground',
  tag: 'Administration',
  summary: 'Set a logo of your organisation',
  description:
    `A PNG, a JPEG or a still WebP of at most ${maxOrganisationLogoBytes / 1024} KiB and 2,048 × 2,048 pixels. Its first ` +
    'bytes decide the type. Metadata is removed, also the rotation that a camera notes. An SVG is refused: it can hold ' +
    'programs.',
  access: 'administrator',
  cost: 'light',
  params: logoPath,
  body: Type.Object({
    image: Type.String({ maxLength: maxLogoTextLength, description: 'The bytes of the image in base64' }),
  }),
  example: {
    image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
  reply: organisationSettings,
  problems: [],
})

export const deleteOrganisationLogo = endpoint({
  name: 'deleteOrganisationLogo',
  method: 'DELETE',
  path: '/api/admin/organisation/logos/:ground',
  tag: 'Administration',
  summary: 'Remove a logo of your organisation',
  description: 'Its address is not found from then on. Without a logo nothing changes.',
  access: 'administrator',
  cost: 'light',
  params: logoPath,
  reply: organisationSettings,
  problems: [],
})
