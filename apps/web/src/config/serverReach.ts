/** Milliseconds between two attempts: doubled each time, up to the second number. */
const [firstPause, longestPause] = [1_000, 15_000]

let isAway = false
let coming: Promise<void> | undefined
const listeners = new Set<() => void>()

/** True while the server that sent this page does not respond. */
export const serverAway = {
  get: () => isAway,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

function setAway(next: boolean) {
  if (next === isAway) return
  isAway = next
  for (const listener of listeners) listener()
}

/** Waits until the server responds. Returns true if it had been away. */
export async function untilReachable(): Promise<boolean> {
  if (!coming && (await responds())) return false
  coming ??= keepTrying().finally(() => {
    coming = undefined
  })
  await coming
  return true
}

async function keepTrying(): Promise<void> {
  setAway(true)
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause)
      window.addEventListener('online', () => resolve(clearTimeout(timer)), { once: true })
    })
    if (await responds()) return setAway(false)
  }
}

/** Any response counts: a proxy in front of a stopped server returns 502 to 504. */
async function responds(): Promise<boolean> {
  try {
    const { status } = await fetch('/config.json', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    return status < 502 || status > 504
  } catch {
    return false
  }
}
