const key = 'Countersign/reloaded'
const pause = 60_000

/** Loads the page anew, unless that was just done or would end at an empty page; tells whether it does. */
export function reloadOnce(): boolean {
  try {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(key)) < pause) return false
    sessionStorage.setItem(key, String(Date.now()))
  } catch {
    // Where nothing can be kept, it could go round for ever.
    return false
  }
  window.location.reload()
  return true
}
