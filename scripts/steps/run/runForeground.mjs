import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { afterDeath } from './afterDeath.mjs'
import { watchParent } from './watchParent.mjs'

/**
 * Runs a command as if it had been typed here: its output is ours, our signals are its signals, its exit code is ours.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @returns {Promise<number>} the exit code
 */
export function runForeground(command, parameters) {
  return new Promise((resolve, reject) => {
    // In a process group of its own: Ctrl-C reaches every process of the terminal's group and npm passes it on once
    // more, so that the server would see three and take the second for "stop at once".
    const child = spawn(command, parameters, { stdio: 'inherit', detached: process.platform !== 'win32' })
    const callOff = afterDeath('kill -TERM "$1"', [String(child.pid)])
    let last = Number.NEGATIVE_INFINITY
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => {
        if (performance.now() - last < 500) return
        last = performance.now()
        child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      })
    }
    watchParent(() => child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      callOff()
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM'])
    })
  })
}
