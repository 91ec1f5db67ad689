import type { LucideIcon } from 'lucide-react'

type Place = { to: string; label: () => string; icon: LucideIcon }

/** The screens of the console for the command palette, while the console is open: only then are they known. */
export const consolePlaces: { current: readonly Place[] } = { current: [] }
