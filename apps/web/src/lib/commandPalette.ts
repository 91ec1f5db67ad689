import { createOpening } from './createOpening.ts'

/** The command palette, which a key opens on every screen. There is one. */
export const commandPalette = createOpening()
