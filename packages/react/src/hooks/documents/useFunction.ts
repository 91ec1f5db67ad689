'use client'

import { useCallback } from 'react'
import type { Client } from '../../core/client/Client.ts'
import { type ActionOptions, type Callbacks, type Result, runAction } from '../../core/client/runAction.ts'
import {
  type CloudFunctionName,
  type CloudFunctionOutput,
  type InputOf,
  sendCall,
  writeCall,
} from '../../core/documents/runFunction.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, RunOptions } from '../../core/readings/createMutation.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import { defineSharedReading } from '../../core/readings/defineReading.ts'
import { useClient } from '../client/useClient.ts'
import { useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

export type UseFunction<Name extends CloudFunctionName> = UseAsync<CloudFunctionOutput<Name>>

/**
 * Result of an application function, for functions that read. Components with the same input share one reading. It is
 * read again when another user signs in, and after a save of documents in the result. For functions that change
 * something use `useRunFunction`.
 *
 * @example
 * const stars = useFunction('averageStars', { movie: 'The Matrix' })
 * if (stars.status === 'success') return <p>{stars.data.average}</p>
 */
export function useFunction<Name extends CloudFunctionName>(
  name: Name,
  ...[input, options = {}]: [...InputOf<Name>, options?: ReadOptions<CloudFunctionOutput<Name>>]
): UseFunction<Name> {
  const reading = functionReading(useClient(), { name, input }) as Reading<CloudFunctionOutput<Name>>
  return useReading(reading, options as ReadOptions<CloudFunctionOutput<Name>>)
}

type RunCallbacks<Name extends CloudFunctionName> = Callbacks<CloudFunctionOutput<Name>, ActionError<'runFunction'>>

export type UseRunFunction<Name extends CloudFunctionName> = ActionState<
  CloudFunctionOutput<Name>,
  ActionError<'runFunction'>
> & {
  readonly runFunction: <Given extends RunCallbacks<Name> = RunCallbacks<Name>>(
    ...input: [...InputOf<Name>, callbacks?: Given]
  ) => Promise<Result<CloudFunctionOutput<Name>, Given>>
  /** As `runFunction`, and rejects where it fails. */
  readonly runFunctionAsync: (...input: [...InputOf<Name>, options?: RunOptions]) => Promise<CloudFunctionOutput<Name>>
  /** Former name of `runFunction`. */
  readonly run: UseRunFunction<Name>['runFunction']
  readonly reset: () => void
}

type Call = { name: string; input: unknown }

function runOne(client: Client, { name, input }: Call, { signal }: ActionOptions): Promise<unknown> {
  return runAction(client, () => sendCall(client, name, input as object | undefined, signal))
}

const functionReading = /*#__PURE__*/ defineSharedReading(
  ({ name, input }: Call) => ({ function: writeCall(name, input as object | undefined) }),
  runOne,
)

/**
 * Runs a function of the application on request: for functions that change something.
 *
 * @example
 * const { runFunction, status } = useRunFunction('claimReward')
 * <button disabled={status === 'pending'} onClick={() => runFunction({ quest: 'first steps' })}>Claim</button>
 */
export function useRunFunction<Name extends CloudFunctionName>(name: Name): UseRunFunction<Name> {
  const { run, runAsync, ...rest } = useAction('run', runOne, 'runFunction')
  const runNamed = useCallback(
    (input?: unknown, callbacks?: Callbacks<unknown>) => run({ name, input }, callbacks),
    [run, name],
  )
  const runFunctionAsync = useCallback(
    (input?: unknown, options?: RunOptions) => runAsync({ name, input }, options),
    [runAsync, name],
  )
  return { ...rest, runFunction: runNamed, runFunctionAsync, run: runNamed } as UseRunFunction<Name>
}
