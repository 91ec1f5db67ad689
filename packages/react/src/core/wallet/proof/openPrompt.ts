import { CountersignError } from '@countersign/protocol'
import type { Client, Prompt } from '../../client/Client.ts'

/**
 * Runs an operation that has a wallet ask its owner. There is one at a time: the same wish again, as by a second click,
 * shares its outcome; another one is refused.
 */
export function openPrompt<Data>(
  client: Client,
  wish: readonly unknown[],
  signal: AbortSignal | undefined,
  act: (prompt: Prompt) => Promise<Data>,
): Promise<Data> {
  const { internal } = client
  const open = internal.prompt
  if (open?.done) {
    const isSame = open.wish.length === wish.length && open.wish.every((part, index) => part === wish[index])
    if (isSame) return open.done as Promise<Data>
    throw new CountersignError('OperationForbidden', 'Another wallet request is already open.', {
      details: 'Wait for that call, or abort its signal.',
    })
  }
  const controller = new AbortController()
  const cancel = () => controller.abort(signal?.reason)
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const prompt: Prompt = { wish, signal: controller.signal, cancel }
  internal.prompt = prompt
  const done = act(prompt).finally(() => {
    signal?.removeEventListener('abort', cancel)
    internal.prompt = undefined
    internal.showMismatch?.()
  })
  prompt.done = done
  return done
}
