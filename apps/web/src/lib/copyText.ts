import { say } from './say.ts'
import { toasts } from './toasts.ts'

/** Puts a text on the clipboard and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.add(say('Copied.'), 'ok')
  } catch {
    toasts.add(say('Your browser does not let this page copy. Here it is: {text}', { text }), 'danger')
  }
}
