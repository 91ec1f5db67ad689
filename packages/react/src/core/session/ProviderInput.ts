import type { ProviderResponse } from '@countersign/protocol'

/** Provider to go to and how; or the response that one sent back to this page (`takeProviderResponse`). */
export type ProviderInput =
  | {
      /** Its name in the configuration, such as `google`. */
      readonly provider: string
      /** A popup by default, called by a click; `redirect` leaves the page and comes back to `returnTo`. */
      readonly display?: 'popup' | 'redirect'
      /** Path to return to; the current page by default. */
      readonly returnTo?: string
    }
  | { readonly response: ProviderResponse }
