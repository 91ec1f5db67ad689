// biome-ignore-all lint/correctness/noUndeclaredDependencies: documentation has no package of its own
// What the samples of the documentation assume; scripts/docsChecks/samples.test.mjs compiles them with it.
import type { Bytes, Client, Doc, GeoPoint, Pointer, Polygon, Relation, StoredFile } from '@countersign/react'
import type { ReactNode } from 'react'

declare module '@countersign/react' {
  interface Register {
    classes: {
      Sale: { seller: string; buyer: string; price: string; block: number; confirmed: boolean }
      SentTransaction: { hash: string; status: string; confirmed: boolean; isOwn: boolean }
      Game: {
        title: string
        score?: number
        player?: string
        playedAt?: Date
        isOver?: boolean
        cover?: StoredFile
        owner?: Pointer<'_User'>
        finishedAt?: Date
        tags?: string[]
        likes?: Relation<'_User'>
      }
      Score: { player: string; points: number; game?: Pointer<'Game'> }
      Key: { salt: Bytes }
      Zone: { area: Polygon }
      Message: { text: string; author: Pointer<'_User'> }
      Post: { title: string; text: string; author: Pointer<'_User'> }
      Transfer: { from: string; to: string; amount: string; chain: string; block: number }
      Cafe: { name: string; place?: GeoPoint }
      _User: {
        username: string
        nick?: string
        age?: number
        favouriteColour?: string
        birthday?: Date
        picture?: StoredFile
      }
    }
    functions: {
      countMessages: { input: Record<string, unknown>; output: { all: number; own: number } }
      averageStars: { input: { movie?: string }; output: { average: number } }
      claimReward: { input: { quest: string }; output: { done: boolean } }
    }
  }
}

declare global {
  const client: Client
  const game: Doc<'Game'>
  const account: string
  const objectId: string
  const username: string
  const password: string
  const controller: AbortController
  /** Of @farcaster/miniapp-sdk. */
  const sdk: { actions: { signIn(options: { nonce: string }): Promise<{ message: string; signature: string }> } }
  function App(): ReactNode
  function Spinner(): ReactNode
  /** Whatever shows a text to the person. */
  function show(text: string): void

  interface Window {
    ethereum: import('@countersign/react/core').Eip1193Provider
    solana: {
      connect(): Promise<{ publicKey: { toBase58(): string } }>
      signMessage(message: Uint8Array): Promise<{ signature: Uint8Array }>
    }
  }
  interface ImportMeta {
    readonly env: { readonly DEV: boolean }
  }
}
