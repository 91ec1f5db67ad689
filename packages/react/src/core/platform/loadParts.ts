import { loadOnce } from './loadOnce.ts'

/** Fetched at the first save or upload; reading does without. */
export const loadWriting = /*#__PURE__*/ loadOnce(async () => (await import('../documents/writing.ts')).writing)

/** Fetched with the first question about push notifications. */
export const loadPush = /*#__PURE__*/ loadOnce(() => import('../push/pushManager.ts'))

/** Fetched while the server asks where the provider is. */
export const loadProviderWindow = /*#__PURE__*/ loadOnce(() => import('../session/providerWindow.ts'))

/** Fetched while the server makes its challenge, so that the browser's window opens no later than without. */
export const loadPasskeys = /*#__PURE__*/ loadOnce(() => import('../session/askBrowser.ts'))
