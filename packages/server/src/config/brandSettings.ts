import { z } from 'zod'

/** The colors of the web application that a brand may set, as its style sheet has them without one. */
export const brandColors = {
  light: {
    paper: '#f7f5f0',
    surface: '#ffffff',
    sunken: '#f0ede6',
    line: '#e4dfd5',
    edge: '#8d8679',
    ink: '#1e1b17',
    muted: '#5c564d',
    accent: '#0f6b64',
    accentStrong: '#0a524c',
    accentSoft: '#e0f1ee',
    onAccent: '#ffffff',
  },
  dark: {
    paper: '#131210',
    surface: '#1c1b18',
    sunken: '#262420',
    line: '#35322d',
    edge: '#7d766b',
    ink: '#f4f1eb',
    muted: '#b8b1a6',
    accent: '#57d3c3',
    accentStrong: '#86e3d7',
    accentSoft: '#173330',
    onAccent: '#06211e',
  },
} as const

/** Colors of warnings and confirmations, which no brand changes. They must be legible on every background. */
const fixedColors = {
  light: { danger: '#b0281f', warn: '#815300', ok: '#1d6b37' },
  dark: { danger: '#ff9a90', warn: '#f0c46a', ok: '#86d9a0' },
} as const

type Setting = Partial<Record<BrandColor, string>>

type Pair = { front: BrandColor; back: BrandColor; least: number }

const text = (front: BrandColor, ...backs: BrandColor[]): Pair[] => backs.map((back) => ({ front, back, least: 4.5 }))

/** Color pairs with the contrast that WCAG AA requires: 4.5 for text, 3 for the edges of controls. */
const pairs: Pair[] = [
  ...text('ink', 'paper', 'surface', 'sunken', 'accentSoft'),
  ...text('muted', 'paper', 'surface', 'sunken'),
  ...text('accent', 'paper', 'surface', 'accentSoft'),
  ...text('accentStrong', 'paper', 'surface', 'accentSoft'),
  ...text('onAccent', 'accent', 'accentStrong'),
  { front: 'edge', back: 'surface', least: 3 },
  { front: 'edge', back: 'paper', least: 3 },
]

type Fault = { setting: BrandColor; what: string; ratio: number; least: number }

/**
 * Looks for colors that some people could not read. Of each setting at fault the first is reported, with one that would
 * do in its place.
 */
export function listLowContrastColors(scheme: Scheme, set: Setting): { setting: BrandColor; message: string }[] {
  const faults = listFaults(scheme, set)
  const first = faults.filter(({ setting }, index) => faults.findIndex((other) => other.setting === setting) === index)
  return first.map(({ setting, what, ratio, least }) => {
    const fix = findFix(scheme, set, setting)
    const advice = fix ? `Use ${fix}.` : 'Choose another color, or set the colors that are used with it too.'
    return {
      setting,
      // Cut, never rounded up: 4.49 is not 4.5.
      message: `${what} has a contrast of ${(Math.floor(ratio * 10) / 10).toFixed(1)}:1. It needs at least ${least}:1 to be readable (WCAG AA). ${advice}`,
    }
  })
}

function listFaults(scheme: Scheme, set: Setting): Fault[] {
  const palette = createPalette(scheme, set)
  const faults: Fault[] = []
  for (const { front, back, least } of pairs) {
    const ratio = contrast(palette[front], palette[back])
    const what = `${front} ${palette[front]} on ${back} ${palette[back]}`
    if (ratio < least) faults.push({ setting: blame(front, back, set), what, ratio, least })
  }
  for (const [name, color] of Object.entries(fixedColors[scheme]))
    for (const back of ['paper', 'surface'] as const) {
      const ratio = contrast(color, palette[back])
      const what = `the ${name} text ${color} on ${back} ${palette[back]}`
      if (ratio < 4.5) faults.push({ setting: back, what, ratio, least: 4.5 })
    }
  return faults
}

/** Of a pair, what the brand itself has set is to be fixed; colors that follow from the accent are its doing. */
function blame(front: BrandColor, back: BrandColor, set: Setting): BrandColor {
  if (set[front]) return front
  if (set[back]) return back
  return set.accent && /^(accent|onAccent)/.test(`${front}${back}`) ? 'accent' : front
}

/** The nearest of the same hue with which nothing is left to blame it for. */
function findFix(scheme: Scheme, set: Setting, setting: BrandColor): string | undefined {
  const palette: Palette = createPalette(scheme, set)
  for (let share = 0.02; share <= 1; share += 0.02)
    for (const end of ['#000000', '#ffffff']) {
      const candidate = mix(palette[setting], end, share)
      const isFree = listFaults(scheme, { ...set, [setting]: candidate }).every((fault) => fault.setting !== setting)
      if (isFree) return candidate
    }
  return undefined
}

const hex = z
  .string()
  .regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i, 'must be a color such as #0f6b64')
  .transform((color) => color.toLowerCase())
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
] as const satisfies BrandColor[]
const scheme = z.strictObject(
  Object.fromEntries(names.map((name) => [name, hex.optional()])) as Record<BrandColor, z.ZodOptional<typeof hex>>,
)

const colors = z.strictObject({ light: scheme.default({}), dark: scheme.default({}) }).transform((set, context) => {
  for (const theme of ['light', 'dark'] as const)
    for (const { setting, message } of listLowContrastColors(theme, dropUnset(set[theme])))
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
      'must be a local file, such as ./brand/logo.svg or file:///etc/acme/logo.svg, or a path on this server, such as /server/files/…: the page loads nothing from other hosts',
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

const languages = ['en', 'de', 'es', 'fr', 'pt', 'zh', 'ja', 'ar']

/** One text for everybody, or one for each language that the operator speaks. */
const perLanguage = (text: z.ZodString) =>
  z
    .union([text, z.record(z.string(), text)], {
      error: "must be a text, or one for each language, such as { en: 'Welcome', de: 'Willkommen' }",
    })
    .superRefine((given, context) => {
      if (typeof given === 'string') return
      const named = Object.keys(given)
      if (named.length === 0) context.addIssue({ code: 'custom', message: 'must have a text in at least one language' })
      for (const name of named.filter((each) => !languages.includes(each))) {
        const message = `is not a language of the web application. Use one of: ${languages.join(', ')}`
        context.addIssue({ code: 'custom', path: [name], message })
      }
    })

/** Look and texts of the web application, without a rebuild. Its name is `appName`. */
export const brandSchema = z.strictObject({
  /** Shown beside the name, 32 px high. */
  logo: picture.optional(),
  /** The same on a dark ground. */
  logoDark: picture.optional(),
  /** The picture of the browser's tab. */
  icon: picture.optional(),
  colors: colors.optional(),
  texts: z
    .strictObject({
      /** The heading of the home page. */
      tagline: perLanguage(line(80)).optional(),
      /** The sentence under it. */
      intro: perLanguage(line(300)).optional(),
      /** The heading of the sign-in page. */
      signInTitle: perLanguage(line(60)).optional(),
      /** Text at the bottom of every page. */
      footer: perLanguage(line(200)).optional(),
      termsUrl: perLanguage(link).optional(),
      privacyUrl: perLanguage(link).optional(),
      supportUrl: perLanguage(link).optional(),
    })
    .prefault({}),
})

export type BrandSettings = z.output<typeof brandSchema>

function dropUnset(set: Partial<Record<BrandColor, string | undefined>>): Partial<Record<BrandColor, string>> {
  return Object.fromEntries(Object.entries(set).filter(([, color]) => color !== undefined))
}

/** The colors of one theme: those that the brand sets, those that follow from its accent, and ours for the rest. */
function createPalette(scheme: Scheme, set: Partial<Record<BrandColor, string>>): Palette {
  const base: Palette = { ...brandColors[scheme], ...set }
  if (!set.accent) return base
  const { accent, surface, ink } = base
  const dark = scheme === 'dark' ? '#0b0b0b' : base.ink
  return {
    ...base,
    accentStrong: set.accentStrong ?? mix(accent, ink, 0.28),
    accentSoft: set.accentSoft ?? mix(surface, accent, 0.1),
    onAccent: set.onAccent ?? (contrast('#ffffff', accent) >= 4.5 ? '#ffffff' : dark),
  }
}

type Channels = [number, number, number]

function toChannels(color: string): Channels {
  const digits = color.slice(1)
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return [0, 2, 4].map((at) => Number.parseInt(full.slice(at, at + 2), 16)) as Channels
}

/** Relative luminance of a color by WCAG 2: 0 for black, 1 for white. */
function luminance(color: string): number {
  const [red, green, blue] = toChannels(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colors by WCAG 2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** A color with a share of another in it. */
function mix(color: string, other: string, share: number): string {
  const to = toChannels(other)
  const mixed = toChannels(color).map((channel, index) => {
    return Math.round(channel + ((to[index] as number) - channel) * share)
  })
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

type Scheme = keyof typeof brandColors

type BrandColor = keyof (typeof brandColors)['light']

type Palette = Record<BrandColor, string>
