/** Milliseconds that a wallet in the browser is waited for (R14). */
export const providerWait = 3000
