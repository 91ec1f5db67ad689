import type { Client } from '../Client.ts'
import { storageOf } from '../storage.ts'
import { storedKey } from '../storedKey.ts'

/** The way in that worked last in this browser: a connector's id, `passkey` or `password`. */
export function findLastWayIn(client: Client): string | undefined {
  return storageOf(client).getItem(keyOf(client)) ?? undefined
}

export function keepLastWayIn(client: Client, way: string): void {
  storageOf(client).setItem(keyOf(client), way)
}

function keyOf({ internal }: Client): string {
  return storedKey(internal.connection?.appId ?? internal.options.appId ?? '', 'wayIn')
}
