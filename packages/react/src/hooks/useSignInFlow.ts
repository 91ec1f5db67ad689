import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { isPasskeySupported } from '../core/passkey/isPasskeySupported.ts'
import { createSignInFlow, type SignInFlow, type SignInFlowOptions } from '../core/signInFlow/createSignInFlow.ts'
import { findLastWayIn } from '../core/signInFlow/lastWayIn.ts'
import { listSignInRows, type SignInRow } from '../core/signInFlow/listSignInRows.ts'
import type { SignInFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { useClient } from './useClient.ts'

export type UseSignInFlow = Omit<SignInFlow, 'state'> & {
  readonly state: SignInFlowState
  /** The ways in, in the order in which they are to be shown. */
  readonly rows: readonly SignInRow[]
}

export type UseSignInFlowOptions = SignInFlowOptions & { readonly passkey?: boolean; readonly password?: boolean }

/**
 * The way through a sign-in, for a sheet of your own drawing. `SignInSheet` is drawn on it.
 *
 * @example
 * const { state, rows, connect, retry } = useSignInFlow({ onDone: (user) => console.log(user.username) })
 * if (state.status === 'choosing')
 *   return rows.map(({ id, connector }) => connector && <button key={id} onClick={() => connect(connector)}>{connector.name}</button>)
 * return <button onClick={retry}>{state.status}</button>
 */
export function useSignInFlow(options: UseSignInFlowOptions = {}): UseSignInFlow {
  const client = useClient()
  const { purpose = 'signIn', passkey = isPasskeySupported(), password = true } = options
  const calls = useRef(options)
  useEffect(() => {
    calls.current = options
  })
  const canStepUp = options.onStepUp !== undefined
  const { state: store, ...actions } = useMemo(
    () =>
      createSignInFlow(client, {
        purpose,
        onDone: (user, outcome) => calls.current.onDone?.(user, outcome),
        ...(canStepUp && { onStepUp: (goOn) => calls.current.onStepUp?.(goOn) }),
      }),
    [client, purpose, canStepUp],
  )
  // Whoever leaves the page waits for no wallet any more.
  useEffect(() => () => actions.reset(), [actions.reset])
  const state = useSyncExternalStore(store.subscribe, store.get, store.get)
  const { connectors } = client
  const found = useSyncExternalStore(connectors.subscribe, connectors.get, connectors.get)
  const isChoosing = state.status === 'choosing'
  const rows = useMemo(() => {
    const isLinking = purpose === 'link'
    return listSignInRows({
      connectors: found,
      last: isChoosing ? findLastWayIn(client) : undefined,
      passkey: passkey && !isLinking,
      password: password && !isLinking,
    })
  }, [client, found, purpose, passkey, password, isChoosing])
  return { ...actions, state, rows }
}
