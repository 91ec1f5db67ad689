const ownMachine = /^wss?:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]/

/** Whether an attempt makes sense. The own machine is reached without any network. */
export function isOnline(url: string): boolean {
  if (ownMachine.test(`${url}/`)) return true
  return typeof navigator === 'undefined' || navigator.onLine !== false
}
