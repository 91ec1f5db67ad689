import { createUuid } from './createUuid.ts'
import type { SyncStorage } from './SyncStorage.ts'
import { storedKey } from './storedKey.ts'

/** The id of this browser, made at the first start. The server keeps one session per user and installation. */
export function findInstallationId(storage: SyncStorage, appId: string): string {
  const key = storedKey(appId, 'installationId')
  const kept = storage.getItem(key)
  if (kept) return kept
  const made = createUuid()
  storage.setItem(key, made)
  return made
}
