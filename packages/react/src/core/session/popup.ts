/**
 * An empty window, where the input wants one and the browser opens it. To be called at once: browsers open one only
 * while a click is handled.
 */
export function openPopup(input: object): Window | undefined {
  if (!('provider' in input) || ('display' in input && input.display === 'redirect')) return undefined
  return globalThis.open?.('', '_blank', 'popup,width=520,height=680') ?? undefined
}

/** Leaves no empty window behind. */
export function closeOnFailure<Data>(popup: Window | undefined, asked: Promise<Data>): Promise<Data> {
  return asked.catch((error) => {
    popup?.close()
    throw error
  })
}
