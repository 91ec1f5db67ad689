import { z } from 'zod'
import type { BrandColour, Palette, Scheme } from './brandColours.ts'
import { createPalette } from './createPalette.ts'
import { listFaintColours } from './listFaintColours.ts'

const hex = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a colour such as #0f6b64')
  .transform((colour) => colour.toLowerCase())
const names = [
  'accent',
  'accentStrong',
  'accentSoft',
  'onAccent',
  'paper',
  'surface',
  'sunken',
  'line',
  'edge',
  'ink',
  'muted',
] as const satisfies BrandColour[]
const scheme = z.strictObject(
  Object.fromEntries(names.map((name) => [name, hex.optional()])) as Record<BrandColour, z.ZodOptional<typeof hex>>,
)

const colours = z.strictObject({ light: scheme.default({}), dark: scheme.default({}) }).transform((set, context) => {
  for (const theme of ['light', 'dark'] as const)
    for (const { setting, message } of listFaintColours(theme, dropUnset(set[theme])))
      context.addIssue({ code: 'custom', path: [theme, setting], message })
  const palettes: Record<Scheme, Palette> = {
    light: createPalette('light', dropUnset(set.light)),
    dark: createPalette('dark', dropUnset(set.dark)),
  }
  return palettes
})

/** A picture: a file on this machine, or a path on our own origin. Another host would learn who visits. */
const picture = z
  .string()
  .min(1)
  .max(500)
  .refine((value) => /^file:\/\/\//.test(value) || !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(value), {
    message:
      'must be a file of this machine, such as ./brand/logo.svg or file:///etc/acme/logo.svg, or a path on this server, such as /server/files/…; the page asks no other host',
  })
  .refine((value) => !/["<>\\\s]/.test(value), 'must have no spaces, quotes or angle brackets')

const line = (most: number) => z.string().trim().min(1).max(most)
const link = z
  .string()
  .max(500)
  .regex(
    /^(https:\/\/|http:\/\/localhost|mailto:|\/(?!\/))\S+$/,
    'must be an https:// or mailto: address, or a path such as /terms',
  )

/** How the web application looks and speaks, without a rebuild. Its name is `appName`. */
export const brandSchema = z.strictObject({
  /** Shown beside the name, 32 px high. */
  logo: picture.optional(),
  /** The same on a dark ground. */
  logoDark: picture.optional(),
  /** The picture of the browser's tab. */
  icon: picture.optional(),
  colours: colours.optional(),
  texts: z
    .strictObject({
      /** The heading of the home page. */
      tagline: line(80).optional(),
      /** The sentence under it. */
      intro: line(300).optional(),
      /** The heading of the sign-in page. */
      signInTitle: line(60).optional(),
      /** What stands at the bottom of every page. */
      footer: line(200).optional(),
      termsUrl: link.optional(),
      privacyUrl: link.optional(),
      supportUrl: link.optional(),
    })
    .prefault({}),
})

export type BrandSettings = z.output<typeof brandSchema>

function dropUnset(set: Partial<Record<BrandColour, string | undefined>>): Partial<Record<BrandColour, string>> {
  return Object.fromEntries(Object.entries(set).filter(([, colour]) => colour !== undefined))
}
