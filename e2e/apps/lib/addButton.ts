import { write } from './showClient.ts'

/** A button that does something; what goes wrong is shown, with the wallet's code. */
export function addButton(name: string, act: () => Promise<unknown>): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = name
  button.onclick = async () => {
    write('error', '')
    try {
      await act()
      write('done', name)
    } catch (error) {
      const { message, cause } = error as { message: string; cause?: { code?: unknown } }
      write('error', cause?.code === undefined ? message : `${message} (${cause.code})`)
    }
  }
  document.body.append(button)
}
