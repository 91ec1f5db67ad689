import { type BrandColour, brandColours, type Palette, type Scheme } from './brandColours.ts'
import { contrast, mix } from './colour.ts'

/** The colours of one theme: those that the brand sets, those that follow from its accent, and ours for the rest. */
export function createPalette(scheme: Scheme, set: Partial<Record<BrandColour, string>>): Palette {
  const base: Palette = { ...brandColours[scheme], ...set }
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
