export type Call = { method: string; path: string; token: string | null; body: Record<string, unknown> | undefined }

/** A `fetch` that notes what is sent to the real server, and can be cut or held like a cable. */
export function createWire() {
  const calls: Call[] = []
  let isCut = false
  let gate: Promise<void> = Promise.resolve()
  const wire: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    calls.push({
      method: init?.method ?? 'GET',
      path: url.pathname.replace(/^\/server/, ''),
      token: new Headers(init?.headers).get('X-Parse-Session-Token'),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    })
    if (isCut) throw new TypeError('fetch failed')
    const held = gate
    const response = await fetch(input, init)
    await held
    return response
  }
  return {
    fetch: wire,
    calls,
    cut() {
      isCut = true
    },
    fix() {
      isCut = false
    },
    /** Holds responses back until the returned function is called. */
    hold(): () => void {
      let release: () => void = () => undefined
      gate = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
    /** Holds no further responses; those held already stay so. */
    letPass() {
      gate = Promise.resolve()
    },
  }
}
