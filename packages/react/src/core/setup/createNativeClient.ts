import type { Client, ClientOptions, StorageAdapter } from '../client/Client.ts'
import { createClient } from './createClient.ts'

/** As much of React Native's `AppState` as is needed. */
export type AppStateLike = {
  addEventListener(type: 'change', listener: (state: string) => void): { remove(): void }
}

export type NativeClientOptions = Omit<ClientOptions, 'storage' | 'session' | 'initialSession'> & {
  /** Storage of the session: AsyncStorage, a secure store, or anything with the same three methods. */
  readonly storage: StorageAdapter
  /** `AppState` of React Native: `refetchOnFocus` reads again when the application comes to the foreground. */
  readonly appState?: AppStateLike
}

/**
 * A client for React Native: the session is kept in the storage that you give, and travels as a token.
 *
 * @example
 * import AsyncStorage from '@react-native-async-storage/async-storage'
 * import { AppState } from 'react-native'
 *
 * const client = createNativeClient({ appId: 'my-app', serverUrl: 'https://example.org/server', storage: AsyncStorage, appState: AppState })
 */
export function createNativeClient({ appState, ...options }: NativeClientOptions): Client {
  return createClient({
    ...options,
    session: 'storage',
    ...(appState && { watchFocus: (listener) => watchAppState(appState, listener) }),
  })
}

function watchAppState(appState: AppStateLike, listener: () => void): () => void {
  const subscription = appState.addEventListener('change', (state) => {
    if (state === 'active') listener()
  })
  return () => subscription.remove()
}
