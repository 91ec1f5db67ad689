'use client'

import type { ProviderRecord, SignInOptions } from '@countersign/protocol'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { isPasskeySupported } from '../../core/session/askPasskey.ts'
import { createSignInFlow, type SignInFlow, type SignInFlowOptions } from '../../core/signInFlow/createSignInFlow.ts'
import type { SignInFlowState } from '../../core/signInFlow/SignInFlowState.ts'
import { findLastMethod, listSignInOptions, type SignInOption } from '../../core/signInFlow/signInRows.ts'
import { useClient } from '../client/useClient.ts'

export type UseSignInFlow = Omit<SignInFlow, 'state' | 'offers'> & {
  readonly state: SignInFlowState
  /** Sign-in options of the server, once known. */
  readonly offers: SignInOptions | undefined
  /** The sign-in methods, in the order in which to show them. */
  readonly rows: readonly SignInOption[]
}

export type UseSignInFlowOptions = SignInFlowOptions & {
  readonly passkey?: boolean
  readonly password?: boolean
  /** Offer the providers of the server; true by default. */
  readonly providers?: boolean
  /** Offer a code by email, where the server does; true by default. */
  readonly emailCode?: boolean
}

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
  const {
    purpose = 'signIn',
    passkey = isPasskeySupported(),
    password = true,
    providers = true,
    emailCode = true,
    farcaster,
  } = options
  const calls = useRef(options)
  useEffect(() => {
    calls.current = options
  })
  const canStepUp = options.onReauthenticate !== undefined
  const canAskFurther = options.onSecondFactor !== undefined
  const {
    state: store,
    offers,
    ...actions
  } = useMemo(
    () =>
      createSignInFlow(client, {
        purpose,
        // Read when it is used: another one must not end a sign-in that is under way.
        get returnTo() {
          return calls.current.returnTo
        },
        ...(farcaster && { farcaster }),
        onDone: (user, outcome) => calls.current.onDone?.(user, outcome),
        ...(canStepUp && { onReauthenticate: (goOn) => calls.current.onReauthenticate?.(goOn) }),
        ...(canAskFurther && { onSecondFactor: (step) => calls.current.onSecondFactor?.(step) }),
      }),
    [client, purpose, farcaster, canStepUp, canAskFurther],
  )
  // A page that was left does not wait for a wallet any more.
  useEffect(() => () => actions.reset(), [actions.reset])
  const state = useSyncExternalStore(store.subscribe, store.get, store.get)
  const offered = useSyncExternalStore(offers.subscribe, offers.get, offers.get)
  const { connectors } = client
  const found = useSyncExternalStore(connectors.subscribe, connectors.get, connectors.get)
  const isChoosing = state.status === 'choosing'
  const rows = useMemo(() => {
    const isLinking = purpose === 'link'
    return listSignInOptions({
      connectors: found,
      last: isChoosing ? findLastMethod(client) : undefined,
      passkey: passkey && !isLinking,
      password: password && !isLinking,
      emailCode: emailCode && !isLinking && offered?.emailCode !== undefined,
      providers: providers && !isLinking ? withFarcaster(offered?.providers ?? [], farcaster) : [],
      methods: isLinking ? undefined : offered?.methods,
    })
  }, [client, found, purpose, passkey, password, providers, emailCode, offered, isChoosing, farcaster])
  return { ...actions, state, rows, offers: offered }
}

/** The server lists Farcaster if it has a relay; a page with its own `sign` needs none. */
function withFarcaster(providers: readonly ProviderRecord[], sign: object | undefined): readonly ProviderRecord[] {
  if (!sign || providers.some(({ kind }) => kind === 'farcaster')) return providers
  return [...providers, { name: 'farcaster', label: 'Farcaster', kind: 'farcaster' }]
}
