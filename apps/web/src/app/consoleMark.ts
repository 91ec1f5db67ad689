const name = 'countersign.console'

/** Whether the console was opened in this browser: the command palette offers it then, without asking the server. */
export const consoleMark = {
  get: () => localStorage.getItem(name) !== null,
  set(isOpen: boolean) {
    if (isOpen) localStorage.setItem(name, '1')
    else localStorage.removeItem(name)
  },
}
