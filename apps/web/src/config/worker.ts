type Policies = {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): unknown }
}

/** Path of the one worker of this application. */
export const workerPath = '/service-worker.js'

/**
 * Registers the worker that opens the account without a network and shows notifications. After the page has loaded: its
 * files are fetched once more, into the cache of the worker.
 */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  // Private windows refuse it; the application then needs a network.
  await navigator.serviceWorker.register(trust() as string, { updateViaCache: 'none' }).catch(() => undefined)
}

function trust(): unknown {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies }
  // The policy makes no other address, whatever it is given.
  const policy = trustedTypes?.createPolicy('countersign-worker', { createScriptURL: () => workerPath })
  return policy?.createScriptURL(workerPath) ?? workerPath
}
