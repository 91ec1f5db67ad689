import { loadOnce } from '../platform/loadOnce.ts'

/** Fetched while the server asks where the provider is. */
export const loadProviderWindow = /*#__PURE__*/ loadOnce(() => import('./providerWindow.ts'))
