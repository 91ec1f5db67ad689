import type { BrandSettings } from '../config/brandSettings.ts'

/** The mark of the application in the colours of the brand, for the tab of one that has no icon of its own. */
export function createBrandIcon({ light: { accent, onAccent } }: NonNullable<BrandSettings['colours']>): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="${onAccent}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><rect width="32" height="32" rx="9" fill="${accent}" stroke="none"/><path d="M22.6 9.4a9.4 9.4 0 1 0 0 13.2"/><path d="m12.4 16.2 3.4 3.4 8.2-8.2" opacity=".7"/></svg>`,
  )
}
