'use client'

import { disconnectApp, listConnectedApps } from '../../core/account/connectedApps.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { ConnectedApp } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const appsReading = /*#__PURE__*/ defineAccountReading('listConnectedApps', (client, _: undefined, options) =>
  listConnectedApps(client, options),
)

/**
 * Applications that have access to the user's account. They are read again after one of them is disconnected.
 *
 * @example
 * const apps = useConnectedApps()
 * if (apps.status === 'success') return apps.data.map(({ id, name }) => <p key={id}>{name}</p>)
 */
export function useConnectedApps<Selected = readonly ConnectedApp[]>(
  options?: ReadOptions<readonly ConnectedApp[], Selected>,
): UseAsync<Selected> {
  return useReading(appsReading(useClient(), undefined), options)
}

export type UseDisconnectApp = ActionHook<'disconnectApp', typeof disconnectApp>

/**
 * Ends the access of an application.
 *
 * @example
 * const { disconnectApp, status } = useDisconnectApp()
 * <button disabled={status === 'pending'} onClick={() => disconnectApp({ id: app.id })}>End access</button>
 */
export function useDisconnectApp(): UseDisconnectApp {
  return useAction('disconnectApp', disconnectApp)
}
