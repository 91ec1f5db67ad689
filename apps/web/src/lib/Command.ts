import type { LucideIcon } from 'lucide-react'

/** One line of the command palette: a place to go to, or something to do. */
export type Command = {
  id: string
  group: 'search' | 'goTo' | 'do'
  label: string
  /** Other words that people may look for. */
  words?: string
  icon: LucideIcon
  run: () => void
}
