import { useCallback } from 'react'
import type { Callbacks } from '../core/Callbacks.ts'
import type { Client } from '../core/Client.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { CloudFunctionName, CloudFunctionOutput, InputOf } from '../core/functions/CloudFunctionTypes.ts'
import { sendCall } from '../core/functions/sendCall.ts'
import { runAction } from '../core/runAction.ts'
import { useMutation } from './useMutation.ts'

export type UseRunFunction<Name extends CloudFunctionName> = MutationState<CloudFunctionOutput<Name>> & {
  readonly run: (
    ...input: [...InputOf<Name>, callbacks?: Callbacks<CloudFunctionOutput<Name>>]
  ) => Promise<CloudFunctionOutput<Name> | undefined>
  readonly reset: () => void
}

type Call = { name: string; input: unknown }

function runOne(client: Client, { name, input }: Call, callbacks: Callbacks<unknown> = {}): Promise<unknown> {
  return runAction(client, callbacks, () => sendCall(client, name, input as object | undefined, callbacks.signal))
}

/**
 * Runs a function of the application when told to: for functions that do something.
 *
 * @example
 * const { run, status } = useRunFunction('claimReward')
 * <button disabled={status === 'pending'} onClick={() => run({ quest: 'first steps' })}>Claim</button>
 */
export function useRunFunction<Name extends CloudFunctionName>(name: Name): UseRunFunction<Name> {
  const { state, run, reset } = useMutation(runOne)
  const runNamed = useCallback(
    (input?: unknown, callbacks?: Callbacks<unknown>) => run({ name, input }, callbacks),
    [run, name],
  )
  return { ...state, run: runNamed, reset } as UseRunFunction<Name>
}
