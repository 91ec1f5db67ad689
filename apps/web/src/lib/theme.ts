export type Theme = 'system' | 'light' | 'dark'

/** The same key is read by /theme.js before the first paint. */
const key = 'Countersign/theme'
const listeners = new Set<() => void>()

function read(): Theme {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function colourBrowserBar() {
  const colour = getComputedStyle(document.body).backgroundColor
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', colour)
}

function apply(theme: Theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  colourBrowserBar()
  for (const listener of listeners) listener()
}

/** The chosen theme as a snapshot with a subscription; kept in storage, shared between tabs. */
export const theme = {
  get: read,
  set(next: Theme) {
    try {
      if (next === 'system') localStorage.removeItem(key)
      else localStorage.setItem(key, next)
    } catch {
      // Storage is refused in some privacy modes: the choice then lasts until the page is left.
    }
    apply(next)
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

// From the start: another tab may choose before the switch of this one is there.
window.addEventListener('storage', ({ key: changed, newValue }) => {
  if (changed === key) apply(newValue === 'light' || newValue === 'dark' ? newValue : 'system')
})
