/** A phone or tablet, where a wallet is an app beside the browser and a code cannot be scanned from its own screen. */
export function isTouchDevice(): boolean {
  return globalThis.matchMedia?.('(pointer: coarse) and (hover: none)').matches ?? false
}
