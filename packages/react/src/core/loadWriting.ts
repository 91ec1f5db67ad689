import { loadOnce } from './loadOnce.ts'

/** Fetched at the first save or upload; reading does without. */
export const loadWriting = loadOnce(async () => (await import('./writing.ts')).writing)
