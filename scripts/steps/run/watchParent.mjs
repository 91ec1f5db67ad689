/**
 * Tells when the npm that started us has died. npm passes SIGTERM to the shell between it and us, which ends without
 * passing it on: the server would run on, holding its port and its data folder.
 *
 * @param {() => void} onDeath
 */
export function watchParent(onDeath) {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onDeath()
  }, 250)
  timer.unref()
}
