import { type ChallengePurpose, CountersignError } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import type { Prompt } from './Prompt.ts'
import type { SignerInput } from './Signer.ts'

/**
 * Runs an operation that has a wallet ask its owner. There is one at a time: the same wish again, as by a second click,
 * shares its outcome; another one is refused.
 */
export function openPrompt<Data>(
  { internal }: Client,
  purpose: ChallengePurpose,
  input: SignerInput,
  signal: AbortSignal | undefined,
  act: (prompt: Prompt) => Promise<Data>,
): Promise<Data> {
  const open = internal.prompt
  if (open?.done) {
    const isSame = open.purpose === purpose && open.signer === input.signer && open.chainId === input.chainId
    if (isSame) return open.done as Promise<Data>
    throw new CountersignError('OperationForbidden', 'The wallet is being asked for something else already.', {
      details: 'Wait for that call, or cancel it by the signal that was given to it.',
    })
  }
  const controller = new AbortController()
  const cancel = () => controller.abort(signal?.reason)
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const prompt: Prompt = { ...input, purpose, signal: controller.signal, cancel }
  internal.prompt = prompt
  const done = act(prompt).finally(() => {
    signal?.removeEventListener('abort', cancel)
    internal.prompt = undefined
  })
  prompt.done = done
  return done
}
