import { loadOnce } from '../core/loadOnce.ts'

/** Fetched when one of the older names is first asked to do something; to be shown it needs nothing of this. */
export const loadLater = loadOnce(async () => (await import('./later.ts')).later)
