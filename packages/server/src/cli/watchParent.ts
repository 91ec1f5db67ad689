/** Interval (ms) at which the parent process is checked. */
const glance = 250

/**
 * Calls `onEnd` when the shell of npm or npx ends. Both pass SIGTERM only to the shell that they start the server with,
 * and the shell ends without it: the server would continue unnoticed, and hold its port and data folder.
 */
export function watchParent(onEnd: () => void): void {
  const parent = process.ppid
  if (process.env.npm_command === undefined || parent === 1) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd()
  }, glance)
  timer.unref()
}
