/** Required content of the message, with the names of Farcaster's packages. */
export type FarcasterChallenge = {
  readonly nonce: string
  readonly domain: string
  readonly siweUri: string
  readonly expirationTime: string
  /** Relay of the operator, for a page without its own `sign`. */
  readonly relay?: string
}

/** Has the person sign: by the SDK of mini apps, or by a channel of `@farcaster/auth-client`. */
export type FarcasterSign = (
  challenge: FarcasterChallenge & {
    /** Farcaster's packages let other keys than the custody address sign unless they are given this. */
    readonly acceptAuthAddress: false
  },
) => Promise<{ readonly message: string; readonly signature: string }>

export type FarcasterInput =
  | { readonly sign: FarcasterSign }
  | {
      readonly sign?: undefined
      /** By the relay that the operator has set: takes the address that opens the person's app, to be shown as a QR code and a link. */
      readonly onUrl: (url: string) => void
    }
