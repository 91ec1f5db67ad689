import { loadOnce } from '../platform/loadOnce.ts'

/** Fetched at the first save or upload; reading does without. */
export const loadWriting = /*#__PURE__*/ loadOnce(async () => (await import('./writing.ts')).writing)
