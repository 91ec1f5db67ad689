import { type CountersignError, errorCodes, headers } from '@countersign/protocol'
import { useClient, useRead } from '@countersign/react'
import { refetchUser } from '@countersign/react/core'
import { createContext, useContext, useEffect, useId } from 'react'
import { type CallName, callEndpoint, type Input, type Output } from '../../config/callEndpoint.ts'

export type AskName = CallName
export type { Input, Output }

/**
 * Calls an endpoint with the signed-in operator's rights. Only requests of the console carry the header for those
 * rights: elsewhere in the application an operator is an ordinary user.
 */
export async function ask<Name extends AskName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  try {
    return await callEndpoint(name, input, { signal, headers: { [headers.console]: '1' } })
  } catch (error) {
    if (name !== 'getConsole' && !signal?.aborted) for (const listener of failures) listener()
    throw error
  }
}

const failures = new Set<() => void>()

/** Least time (ms) between two looks at the operator's rights. */
const rightsInterval = 2_000

/** Calls back after failed requests, since the operator's role may have changed while the page was open. */
export function watchRights(listener: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  const look = () => {
    if (performance.now() - last < rightsInterval) return
    last = performance.now()
    listener()
  }
  failures.add(look)
  return () => void failures.delete(look)
}

/** The session of the browser, with the rights of the operator. */
export const operatorHeaders = { [headers.sessionTransport]: 'cookie', [headers.console]: '1' }

export type Asked<Data> = (
  | { status: 'pending'; data?: undefined }
  | { status: 'error'; error: CountersignError; data?: Data }
  | { status: 'success'; data: Data }
) & { refetch: () => void }

/**
 * One read, optionally repeated at an interval in ms while the page is seen. The last result stays while the next is
 * pending, and temporary failures are retried.
 */
export function useAsk<Name extends AskName>(
  name: Name,
  input: Input<Name>,
  { every, enabled = true }: { every?: number; enabled?: boolean } = {},
): Asked<Output<Name>> {
  const client = useClient()
  // A reading for each component: one that is shown again after a change, under another key, reads again.
  const id = useId()
  const read = useRead(
    ['console', id, name, input],
    ({ signal }) =>
      ask(name, input, signal).catch((error: CountersignError) => {
        if (error.code === errorCodes.InvalidSessionToken && !signal?.aborted)
          void refetchUser(client, { onError: () => {} })
        throw error
      }),
    { enabled },
  )
  const { refetch } = read
  useEffect(() => {
    if (every === undefined || !enabled) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), every)
    return () => clearInterval(timer)
  }, [every, enabled, refetch])
  return read
}

/** Runs a change: asks for a proof if one is needed, and shows errors. `undefined` if it was not done. */
export type Act = <Name extends AskName>(name: Name, input: Input<Name>) => Promise<Output<Name> | undefined>

export const ActContext = createContext<Act>(async () => undefined)

export const useAct = () => useContext(ActContext)

/**
 * Sends a request that may need a proof, asks for it, and sends it again. The caller shows errors; `undefined` if the
 * operator gave no proof.
 */
export type Prove = <Answer>(send: () => Promise<Answer>) => Promise<Answer | undefined>

export const ProveContext = createContext<Prove>((send) => send())

export const useProve = () => useContext(ProveContext)

/** The console as the server describes it to the operator who is signed in. */
export const ConsoleContext = createContext<Output<'getConsole'> | undefined>(undefined)

export function useConsole(): Output<'getConsole'> {
  const found = useContext(ConsoleContext)
  if (!found) throw new Error('useConsole is used outside the console.')
  return found
}
