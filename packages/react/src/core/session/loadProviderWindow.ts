import { loadOnce } from '../platform/loadOnce.ts'

/** Loaded while the server's challenge is fetched. */
export const loadProviderWindow = /*#__PURE__*/ loadOnce(() => import('./providerWindow.ts'))
