import { spawn } from 'node:child_process'

/**
 * Runs a shell script once this process is gone, however it went: a pipe closes even after kill -9.
 *
 * @param {string} script
 * @param {string[]} parameters `$1`, `$2` … of the script
 * @param {{ uid?: number, gid?: number }} [identity]
 * @returns {() => void} calls it off
 */
export function afterDeath(script, parameters, identity = {}) {
  if (process.platform === 'win32') return () => {}
  const child = spawn('/bin/sh', ['-c', `read line && exit; ${script}`, 'afterDeath', ...parameters], {
    ...identity,
    cwd: '/',
    // Outside our process group, so that what ends the whole group leaves this one to clean up.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  child.unref()
  const pipe = /** @type {import('node:net').Socket} */ (child.stdin)
  pipe.unref()
  return () => {
    child.stdin.end('called off\n')
  }
}
