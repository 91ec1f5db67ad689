import { once } from 'node:events'

/** Asks first, insists after five seconds. @param {import('node:child_process').ChildProcess} child */
export async function stopProcess(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(insist)
}
