import { loadOnce } from '../loadOnce.ts'

/** Fetched while the server makes its challenge, so that the browser's window opens no later than without. */
export const loadPasskeys = loadOnce(() => import('./askBrowser.ts'))
