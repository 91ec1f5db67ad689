import { createNativeClient } from '@countersign/react/native'
import AsyncStorage from '@react-native-async-storage/async-storage'
import { AppState } from 'react-native'

declare module '@countersign/react' {
  interface Register {
    classes: { Score: { player: string; points: number } }
  }
}

// A phone does not reach the localhost of your computer: name its address in the network.
const server = process.env.EXPO_PUBLIC_COUNTERSIGN_URL ?? 'http://localhost:1337'

/** The session is kept in the storage and travels as a token. A secure store with the same three calls will do too. */
export const client = createNativeClient({
  appId: 'example',
  serverUrl: `${server}/server`,
  storage: AsyncStorage,
  appState: AppState,
})
