import { type BrandColour, fixedColours, type Palette, type Scheme } from './brandColours.ts'
import { contrast, mix } from './colour.ts'
import { createPalette } from './createPalette.ts'

type Setting = Partial<Record<BrandColour, string>>
type Pair = { front: BrandColour; back: BrandColour; least: number }

const text = (front: BrandColour, ...backs: BrandColour[]): Pair[] => backs.map((back) => ({ front, back, least: 4.5 }))

/** What stands on what, with the contrast that WCAG AA asks for: 4.5 for text, 3 for the edges of controls. */
const pairs: Pair[] = [
  ...text('ink', 'paper', 'surface', 'sunken', 'accentSoft'),
  ...text('muted', 'paper', 'surface', 'sunken'),
  ...text('accent', 'paper', 'surface', 'accentSoft'),
  ...text('accentStrong', 'paper', 'surface', 'accentSoft'),
  ...text('onAccent', 'accent', 'accentStrong'),
  { front: 'edge', back: 'surface', least: 3 },
  { front: 'edge', back: 'paper', least: 3 },
]

type Fault = { setting: BrandColour; what: string; ratio: number; least: number }

/**
 * Looks for colours that some people could not read. Of each setting at fault the first is told, with one that would
 * do in its place.
 */
export function listFaintColours(scheme: Scheme, set: Setting): { setting: BrandColour; message: string }[] {
  const faults = listFaults(scheme, set)
  const first = faults.filter(({ setting }, index) => faults.findIndex((other) => other.setting === setting) === index)
  return first.map(({ setting, what, ratio, least }) => {
    const mend = findMend(scheme, set, setting)
    const advice = mend ? `${mend} would do.` : 'Choose another, or set the colours that go with it as well.'
    return {
      setting,
      // Cut, never rounded up: 4.49 is not 4.5.
      message: `${what} has a contrast of ${(Math.floor(ratio * 10) / 10).toFixed(1)}:1; to be legible it needs ${least}:1 (WCAG AA). ${advice}`,
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
  for (const [name, colour] of Object.entries(fixedColours[scheme]))
    for (const back of ['paper', 'surface'] as const) {
      const ratio = contrast(colour, palette[back])
      const what = `the ${name} text ${colour} on ${back} ${palette[back]}`
      if (ratio < 4.5) faults.push({ setting: back, what, ratio, least: 4.5 })
    }
  return faults
}

/** Of a pair, what the brand itself has set is to be mended; colours that follow from the accent are its doing. */
function blame(front: BrandColour, back: BrandColour, set: Setting): BrandColour {
  if (set[front]) return front
  if (set[back]) return back
  return set.accent && /^(accent|onAccent)/.test(`${front}${back}`) ? 'accent' : front
}

/** The nearest of the same hue with which nothing is left to blame it for. */
function findMend(scheme: Scheme, set: Setting, setting: BrandColour): string | undefined {
  const palette: Palette = createPalette(scheme, set)
  for (let share = 0.02; share <= 1; share += 0.02)
    for (const end of ['#000000', '#ffffff']) {
      const candidate = mix(palette[setting], end, share)
      const isFree = listFaults(scheme, { ...set, [setting]: candidate }).every((fault) => fault.setting !== setting)
      if (isFree) return candidate
    }
  return undefined
}
