import { createOpening } from './createOpening.ts'

/** The list of keys, which `?` opens on every screen. There is one. */
export const keyHelp = createOpening()
