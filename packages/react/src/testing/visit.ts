/** Gives the simulated page of a test another address. Wallets sign for the page's own origin. */
export function visit(url: string): void {
  ;(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url)
}
