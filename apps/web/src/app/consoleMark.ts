const name = 'countersign.console'

/** Remembers that the console was opened in this browser: the command palette offers it without a request. */
export const consoleMark = {
  get: () => localStorage.getItem(name) !== null,
  set(isOpen: boolean) {
    if (isOpen) localStorage.setItem(name, '1')
    else localStorage.removeItem(name)
  },
}
