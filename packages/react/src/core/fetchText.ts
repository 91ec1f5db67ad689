/** One attempt: the response with its whole text, or a failure when the time is up or the caller gives up. */
export async function fetchText(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<{ response: Response; text: string }> {
  const controller = new AbortController()
  const giveUp = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${timeout} ms.`)), timeout)
  signal?.addEventListener('abort', giveUp, { once: true })
  if (signal?.aborted) giveUp()
  try {
    const response = await fetch(url, { ...init, signal: controller.signal })
    return { response, text: await response.text() }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
