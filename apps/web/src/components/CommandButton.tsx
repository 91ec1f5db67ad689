import { Search } from 'lucide-react'
import { commandPalette } from '../lib/commandPalette.ts'
import { say } from '../lib/say.ts'
import { IconButton } from './IconButton.tsx'

const preload = () => {
  import('./CommandPalette.tsx').catch(() => {
    // The press asks again and says what is wrong.
  })
}

/** Opens the command palette for those who have no key for it, or do not know it. */
export function CommandButton() {
  return (
    <IconButton
      label={say('Search and commands')}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => commandPalette.set(true)}
    >
      <Search size={20} aria-hidden="true" />
    </IconButton>
  )
}
