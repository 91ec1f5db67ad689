// biome-ignore-all lint/style/noDefaultExport: that package has one
// Of packages that are not installed here, as much as the samples use.
declare module 'next/headers' {
  export function headers(): Promise<Headers>
}
declare module 'react-native' {
  type Subscription = { remove(): void }
  export const AppState: { addEventListener(type: 'change', listener: (state: string) => void): Subscription }
}
declare module '@react-native-async-storage/async-storage' {
  const storage: import('@countersign/react/core').StorageAdapter & import('@countersign/react/offline').NativeStorage
  export default storage
}
declare module '@walletconnect/ethereum-provider'
declare module 'our-wallet'
declare module 'vue' {
  export function shallowRef<Value>(value: Value): { value: Value }
  export function onScopeDispose(end: () => void): void
}
declare module 'svelte/store' {
  export type Readable<Value> = { subscribe(run: (value: Value) => void): () => void }
  export function readable<Value>(value: Value, start: (set: (value: Value) => void) => () => void): Readable<Value>
}
declare module 'solid-js' {
  export function from<Value>(producer: (set: (value: Value) => void) => () => void): () => Value | undefined
}

declare module '@farcaster/miniapp-sdk' {
  export const sdk: {
    actions: {
      signIn(input: { nonce: string; acceptAuthAddress?: boolean }): Promise<{ message: string; signature: string }>
    }
  }
}
